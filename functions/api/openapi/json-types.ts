import { innerSchemas, type Schema } from "./schema.ts";

const MAX_INT32 = 2 ** 31 - 1;

/** Pattern of texts that must not be blank. */
const VISIBLE = String.raw`[^\p{Z}\p{C}]`;

/**
 * Keeps only JSON's own types in a schema. Requests may also send numbers, booleans and lists as text, as forms do, but
 * generated clients should not.
 */
export function useJsonTypes(schema: Schema, seen = new Set<Schema>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const inner of innerSchemas(schema)) useJsonTypes(inner, seen);
  if (schema.properties) schema.properties = withoutNever(schema.properties);
  if (schema.anyOf) useAlternatives(schema, schema.anyOf);
  useOneType(schema);
  if (schema.enum) useNameable(schema, schema.enum);
  if ("example" in schema) schema.examples ??= [schema.example];
  delete schema.example;
  dropEmptyBounds(schema);
  sizeIntegers(schema);
  if (schema.format === "date" || schema.format === "date-time") delete schema.pattern;
  // Python and others refuse `\p`. `\S` allows some invisible characters more.
  if (schema.pattern === VISIBLE) schema.pattern = "\\S";
}

/** Drops fields that exist only to be refused. */
const withoutNever = (properties: Record<string, Schema>) =>
  Object.fromEntries(
    Object.entries(properties).filter(([, { not }]) => not === undefined || Object.keys(not).length > 0),
  );

function useAlternatives(schema: Schema, anyOf: Schema[]): void {
  const flat = anyOf.flatMap((one) => (isNothingElse(one) ? (one.anyOf ?? []) : one));
  const isEmptyText = (one: Schema) => one.const === "";
  const isFreeText = (one: Schema) => one.type === "string" && !one.enum && one.const === undefined;
  const others = flat.filter((one) => !isEmptyText(one) && !isFreeText(one) && one.type !== "null");
  const isText = !others.length || others.some(({ $ref, type }) => $ref === undefined && type === undefined);
  const left = flat.filter((one) => !isEmptyText(one) && (isText || !isFreeText(one)));
  const typed = distinct(left.filter((one) => one.type !== "null"));
  const takesNull = left.some((one) => one.type === "null");
  const [only] = typed;
  delete schema.anyOf;
  if (typed.length > 1 || !only || only.$ref !== undefined)
    Object.assign(schema, isListOrObject(left) ? { oneOf: left } : { anyOf: left });
  else Object.assign(schema, { ...only, ...schema }, takesNull ? orNull(only) : {});
}

const distinct = (schemas: Schema[]): Schema[] => [
  ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
];

/** Only one can match, and some generators accept lists beside objects in `oneOf` alone. */
const isListOrObject = (schemas: Schema[]) =>
  schemas.length === 2 && schemas.filter(({ type }) => type === "array").length === 1;

/** A union inside a union. */
const isNothingElse = (schema: Schema) => schema.anyOf !== undefined && Object.keys(schema).length === 1;

const orNull = (schema: Schema): Schema => ({
  type: [...[schema.type ?? []].flat().filter((type) => type !== "null"), "null"],
  ...(schema.enum && { enum: [...schema.enum, null] }),
});

/** `["boolean", "string"]` is a flag that forms send as a word. */
function useOneType(schema: Schema): void {
  if (!Array.isArray(schema.type)) return;
  const types = schema.type.filter((type) => type !== "string" || !hasOtherType(schema.type));
  schema.type = types.length === 1 ? types[0] : types;
}

const hasOtherType = (types: Schema["type"]) =>
  [types ?? []].flat().some((type) => ["boolean", "integer", "number"].includes(type));

/** Generators name a constant after each value, and `*` yields no name. */
function useNameable(schema: Schema, values: unknown[]): void {
  if (!values.includes("*")) return;
  schema.pattern = `^(?:${values.map((value) => (value === "*" ? "\\*" : value)).join("|")})$`;
  delete schema.enum;
}

/** Generators take 32 bits where no format is given, which ids and sizes of files exceed. */
function sizeIntegers(schema: Schema): void {
  const isInteger = [schema.type].flat().includes("integer");
  if (isInteger && !schema.enum && (schema.maximum ?? Infinity) > MAX_INT32) schema.format = "int64";
}

/** Drops bounds that only restate the safe integers. */
function dropEmptyBounds(schema: Schema): void {
  if (schema.exclusiveMinimum === 0 && [schema.type].flat().includes("integer")) {
    delete schema.exclusiveMinimum;
    schema.minimum = 1;
  }
  if ((schema.maximum ?? 0) >= Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if ((schema.minimum ?? 0) <= Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
