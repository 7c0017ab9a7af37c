import { type NamedOperation, nameOf, type OpenApi, type Schema } from "./reference-document.ts";

type Schemas = OpenApi["components"]["schemas"];

/** Levels, because a schema may contain itself. */
const DEEPEST = 6;

/** Makes a minimal value that the schema accepts. */
function exampleOf(schema: Schema | undefined, schemas: Schemas, depth = 0): unknown {
  if (!schema || depth > DEEPEST) return "…";
  if (schema.$ref) return exampleOf(schemas[nameOf(schema.$ref)], schemas, depth + 1);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const alternative = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0];
  if (alternative) return exampleOf(alternative, schemas, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") {
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name));
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, schemas, depth + 1)]));
  }
  if (type === "array") return [exampleOf(schema.items, schemas, depth + 1)];
  if (type === "integer" || type === "number") return Math.max(schema.minimum ?? 1, 1);
  return type === "boolean" ? true : "…";
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Makes a command to try the operation. The reader fills in `$TOKEN` and the braces. */
export function curlExample(operation: NamedOperation, { servers, components }: OpenApi): string {
  const { method, path, parameters = [], security = [], requestBody } = operation;
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, schema }) => `${name}=${exampleOf(schema, components.schemas)}`)
    .join("&");
  const address = `${servers[0]?.url ?? ""}${path}${query && `?${query}`}`;
  const body = requestBody?.content["application/json"]?.schema;
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoted(address)}`,
    ...(security.length ? [`-H "Authorization: OAuth $TOKEN"`] : []),
    ...(body
      ? [
          `-H 'Content-Type: application/json'`,
          `-d ${quoted(JSON.stringify(exampleOf(body, components.schemas)))}`,
        ]
      : []),
  ].join(" \\\n  ");
}
