import { exampleOf } from "../../api/openapi/examples.ts";
import type { Schema } from "../../api/openapi/schema.ts";
import type { OpenApi } from "./document.ts";

/** One alternative of a schema whose field `type` tells which it is. */
interface Kind {
  type: string;
  schema: Schema;
}

/** The alternatives of a union such as `Activity`. Empty for any other schema. */
export function kindsOf({ anyOf, oneOf }: Schema): Kind[] {
  const kinds = (anyOf ?? oneOf ?? []).map((schema) => ({ type: schema.properties?.type?.const, schema }));
  return kinds.every((kind): kind is Kind => typeof kind.type === "string") ? kinds : [];
}

export const exampleOfKind = (schema: Schema, { components }: OpenApi): string =>
  JSON.stringify(exampleOf(schema, components.schemas), null, 2);
