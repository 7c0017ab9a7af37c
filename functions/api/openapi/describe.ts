import { type ApiDocument, innerSchemas, operationsIn, type Schema } from "./schema.ts";
import { wordsOf } from "./words.ts";

/** Gives each field its description and example, unless its schema has them. */
export function describeFields(document: ApiDocument): void {
  for (const [name, schema] of Object.entries(document.components.schemas)) describeWithin(schema, name);
  for (const { operationId = "", requestBody, responses = {} } of operationsIn(document)) {
    const replies = Object.values(responses).map(({ content }) => content);
    for (const content of [requestBody?.content, ...replies])
      for (const { schema } of Object.values(content ?? {})) if (schema) describeWithin(schema, operationId);
  }
}

function describeWithin(schema: Schema, owner: string): void {
  const kind = schema.properties?.kind?.const;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (field.type === "null" && field.description !== undefined) continue; // Ruled out of a form.
    const [description, example] = wordsOf(owner, name, kind);
    if (description && field.description === undefined) field.description = description;
    if (example !== undefined && !field.examples && !field.$ref) field.examples = [example];
  }
  for (const inner of innerSchemas(schema)) describeWithin(inner, owner);
}
