import {
  type ApiDocument,
  type Operation,
  type Parameter,
  parametersOf,
  type Schema,
} from "../../functions/api/openapi/schema.ts";

/** The client signs in, discovers and uploads by itself, and players follow addresses that replies name. */
const LEFT_OUT = /^\/(?:\.well-known|authorize|oauth2?|sign-out|media|images|uploads\/companion)\b/;

/** Bodies that the client can send, the best first. */
const BODIES = ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"];

/** A parameter of the client's own: `pages` and `each` send it. */
const OWN = "linked_partitioning";

/** Returns TypeScript of what the client takes and returns. Errors are classes. */
export function schemaTypes(document: ApiDocument): string {
  const { paths = {}, webhooks = {}, components } = document;
  const served = Object.entries(paths).filter(([path]) => !LEFT_OUT.test(path));
  const events = Object.entries(webhooks).map(([name, { post }]) => field(name, bodyOf(post), true));
  const schemas = Object.entries(components.schemas).map(([name, schema]) => fieldOf(name, schema, true));
  const calls = served.map(([path, methods]) =>
    field(path, object(Object.entries(methods).map(([method, one]) => call(method, one, document))), true),
  );
  return [
    `/** What each path takes and returns. */\nexport interface Paths ${object(calls)}\n`,
    `/** Bodies of webhooks. */\nexport interface Events ${object(events)}\n`,
    `/** The API's resources. */\nexport interface Schemas ${object(schemas)}\n`,
  ].join("\n");
}

function call(method: string, operation: Operation, document: ApiDocument): string {
  const parameters = parametersOf(operation, document);
  const { summary, description, requestBody } = operation;
  const body = requestBody && field("body", `${bodyOf(operation)} | FormData`, requestBody.required === true);
  const fields = [
    parametersIn("path", parameters),
    parametersIn("query", parameters),
    body,
    field("reply", replyOf(operation), true),
  ];
  const words = [summary, description].filter(Boolean).join("\n\n");
  return field(method, object(fields.filter((one) => one !== undefined)), true, words);
}

function parametersIn(place: string, parameters: Parameter[]): string | undefined {
  const here = parameters.filter((one) => one.in === place && one.name !== OWN);
  const isNeeded = here.some(({ required }) => required);
  const fields = here.map(({ name, schema, required = false, description }) =>
    field(name, typeOf(schema), required, description),
  );
  return fields.length ? field(place, object(fields), isNeeded) : undefined;
}

function bodyOf({ requestBody }: Operation = {}): string {
  const { content = {} } = requestBody ?? {};
  return typeOf(content[BODIES.find((type) => content[type]) ?? ""]?.schema);
}

function replyOf({ responses = {} }: Operation): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const bodies = successes.map(([, { content }]) => content?.["application/json"]);
  return union(bodies.map((body) => (body ? typeOf(body.schema) : "undefined")));
}

function typeOf(schema: Schema = {}): string {
  const { $ref, const: value, enum: values, anyOf, oneOf, type = "unknown" } = schema;
  if ($ref) return `Schemas["${$ref.slice($ref.lastIndexOf("/") + 1)}"]`;
  if (value !== undefined) return JSON.stringify(value);
  if (values) return union(values.map((one) => JSON.stringify(one)));
  const alternatives = anyOf ?? oneOf;
  return union(
    alternatives ? alternatives.map(typeOf) : [type].flat().map((name) => typeNamed(name, schema)),
  );
}

function typeNamed(name: string, { items, properties = {}, required, additionalProperties }: Schema): string {
  if (name === "integer") return "number";
  if (name === "array") return `Array<${typeOf(items)}>`;
  if (name !== "object") return name;
  const fields = Object.entries(properties).map(([key, inner]) =>
    fieldOf(key, inner, required?.includes(key) ?? false),
  );
  const others =
    typeof additionalProperties === "object" && `[name: string]: ${typeOf(additionalProperties)};`;
  return object(others ? [...fields, others] : fields);
}

/** Keeps the document's order. An empty union becomes `never`. */
const union = (types: string[]): string => [...new Set(types)].join(" | ") || "never";

const object = (fields: string[]): string =>
  fields.length ? `{\n${fields.join("\n").replace(/^(?=.)/gm, "  ")}\n}` : "Record<string, never>";

const fieldOf = (name: string, schema: Schema, isRequired: boolean): string =>
  field(name, typeOf(schema), isRequired, schema.description);

function field(name: string, type: string, isRequired: boolean, words?: string): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return `${words ? commentOf(words) : ""}${key}${isRequired ? "" : "?"}: ${type};`;
}

function commentOf(words: string): string {
  const lines = words.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}
