import { type ApiDocument, type MediaType, mediaTypesIn, nameOf, type Schema } from "./schema.ts";

type Schemas = Record<string, Schema>;

/** Levels, because a schema may contain itself. */
const DEEPEST = 20;

/** Adds an example to each body, composed of its fields' examples. Named schemas have theirs once. */
export function addExamples(document: ApiDocument): void {
  const { schemas } = document.components;
  const shared: Record<string, { value: unknown }> = {};
  document.components.examples = shared;
  for (const mediaType of mediaTypesIn(document)) {
    const { schema } = mediaType;
    if (!schema || mediaType.example !== undefined || mediaType.examples) continue;
    const name = schema.$ref && nameOf(schema.$ref);
    if (name) {
      shared[name] ??= { value: exampleOf(schema, schemas) };
      mediaType.examples = { composed: { $ref: `#/components/examples/${name}` } };
    } else addOwn(mediaType, exampleOf(schema, schemas));
  }
}

function addOwn(mediaType: MediaType, value: unknown): void {
  if (value !== undefined) mediaType.example = value;
}

/** Composes a value that the schema accepts. `undefined` if it has no example, as a file. */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const within = (inner: Schema) => exampleOf(inner, schemas, depth + 1);
  if (depth > DEEPEST) return undefined;
  const [given] = schema.examples ?? [];
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.$ref !== undefined) return within(schemas[nameOf(schema.$ref)] ?? {});
  if (schema.enum) return schema.enum[0];
  const [alternative] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (alternative) return within(alternative);
  if (schema.properties) return objectOf(schema.properties, within);
  const [type] = [schema.type].flat();
  if (type === "array") return [schema.items && within(schema.items)].filter((item) => item !== undefined);
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  return type === "object" ? {} : undefined;
}

function objectOf(properties: Record<string, Schema>, within: (inner: Schema) => unknown) {
  const fields = Object.entries(properties).map(([name, field]) => [name, within(field)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
