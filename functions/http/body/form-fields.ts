import * as z from "zod";
import { applyOwn } from "../../text/fields.ts";
import type { FileFields, SentFile } from "./multipart-body.ts";

const isSentFile = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "bytes" in value && value.bytes instanceof Uint8Array;

/** A file of `maxBytes` at most, for the body type "multipart". */
export const file = (maxBytes: number) =>
  z
    .custom<SentFile>(isSentFile, "must be a file, sent as multipart/form-data")
    .meta({ type: "string", format: "binary", maxLength: maxBytes });

type JsonSchema = { [key: string]: unknown; properties?: Record<string, JsonSchema> };

/** Returns a body's fields as JSON Schema under their names in forms: `track[title]`. */
export function formFields(schema: z.ZodType): Record<string, JsonSchema> {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: applyOwn,
  }) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };
  const resolved = (part: JsonSchema): JsonSchema =>
    typeof part.$ref === "string" ? ($defs[part.$ref.replace("#/$defs/", "")] ?? {}) : part;
  const fields: Record<string, JsonSchema> = {};
  for (const [outer, value] of Object.entries(resolved(whole).properties ?? {})) {
    const { properties } = resolved(value);
    if (!properties) fields[outer] = value;
    for (const [inner, field] of Object.entries(properties ?? {})) fields[`${outer}[${inner}]`] = field;
  }
  return fields;
}

/** Returns the file fields, each with its limit in bytes. */
export const fileFields = (schema: z.ZodType): FileFields =>
  new Map(
    Object.entries(formFields(schema))
      .filter(([, field]) => field.format === "binary")
      .map(([name, field]) => [name, Number(field.maxLength)]),
  );
