import * as z from "zod";
import { applyOwn } from "../../text/fields.ts";
import type { FileFields, SentFile } from "./multipart-body.ts";

const isSentFile = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "bytes" in value && value.bytes instanceof Uint8Array;

/** A file of `maxBytes` at most, for the body type "multipart". */
export const file = (maxBytes: number) =>
  z
    .custom<SentFile>(isSentFile, "must be a file, sent as multipart/form-data with a file name")
    .meta({ type: "string", format: "binary", maxLength: maxBytes, example: "(bytes)" });

/** A field that is always refused with this sentence, also as a file. */
export const refused = (sentence: string) => z.never(sentence).meta({ refusal: sentence }).optional();

type JsonSchema = { [key: string]: unknown; properties?: Record<string, JsonSchema>; required?: string[] };

/** Returns JSON Schemas of a body's fields by form name, such as `track[title]`, and the required names. */
export function formFields(schema: z.ZodType) {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: applyOwn,
  }) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };
  const resolved = (part: JsonSchema): JsonSchema =>
    typeof part.$ref === "string" ? ($defs[part.$ref.replace("#/$defs/", "")] ?? {}) : part;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const body = resolved(whole);
  for (const [outer, value] of Object.entries(body.properties ?? {})) {
    const inside = resolved(value);
    const isNeeded = body.required?.includes(outer) ?? false;
    if (!inside.properties) properties[outer] = value;
    if (!inside.properties && isNeeded) required.push(outer);
    for (const [inner, field] of Object.entries(inside.properties ?? {}))
      properties[`${outer}[${inner}]`] = field;
    if (isNeeded) required.push(...(inside.required ?? []).map((inner) => `${outer}[${inner}]`));
  }
  return { properties, required };
}

/** Returns the size limit or the refusal of each file field. */
export const fileFields = (schema: z.ZodType): FileFields =>
  new Map(
    Object.entries(formFields(schema).properties)
      .filter(([, { format, refusal }]) => format === "binary" || refusal !== undefined)
      .map(([name, { maxLength, refusal }]) => [
        name,
        refusal === undefined ? Number(maxLength) : String(refusal),
      ]),
  );
