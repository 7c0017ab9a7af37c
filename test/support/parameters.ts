import { type ApiDocument, operationsIn, parametersOf } from "../../functions/api/openapi/schema.ts";

/** Writes the parameters that operations of an API document share into each of them. */
export function withParameters<Document>(document: Document): Document {
  const api = document as unknown as ApiDocument;
  for (const operation of operationsIn(api)) operation.parameters = parametersOf(operation, api);
  return document;
}
