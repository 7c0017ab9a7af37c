import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { PROJECT_DIR } from "./structure.ts";

type Json = { [name: string]: Json } | Json[] | string | number | boolean | null | undefined;
type Fields = { [name: string]: Json };

const GENERATOR = "test/node_modules/openapi-typescript/bin/cli.js";
const HEAD = "/** Written from the API document by `npm test -- test/units/client-types.test.ts -u`. */\n\n";

/** The client signs in, discovers and uploads by itself, and players follow addresses that replies name. */
const LEFT_OUT = /^\/(?:\.well-known|authorize|oauth2?|sign-out|media|images|uploads\/companion)\b/;

/** Bodies that the client can send, the best first. */
const BODIES = ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"];

const fieldsOf = (value: Json): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

const mapFields = (fields: Json, change: (value: Json, name: string) => Json): Fields =>
  Object.fromEntries(Object.entries(fieldsOf(fields)).map(([name, value]) => [name, change(value, name)]));

/** The types of the client's package: requests and successful replies in JSON. Errors are classes. */
export async function clientTypes(document: Json): Promise<string> {
  const cache = join(PROJECT_DIR, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "client-types-"));
  try {
    writeFileSync(join(directory, "openapi.json"), JSON.stringify(withoutRest(fieldsOf(document))));
    // Any configuration stops the generator's own lint.
    writeFileSync(join(directory, "redocly.yaml"), "extends: [spec]\n");
    const asked = [join(PROJECT_DIR, GENERATOR), "openapi.json", "-o", "types.ts"];
    await promisify(execFile)(process.execPath, asked, { cwd: directory });
    return HEAD + compact(readFileSync(join(directory, "types.ts"), "utf8"));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function withoutRest({ openapi, info, paths, webhooks, components }: Fields): Fields {
  const api = Object.entries(fieldsOf(paths)).filter(([path]) => !LEFT_OUT.test(path));
  const { schemas } = fieldsOf(components);
  const events = mapFields(webhooks, (item) => mapFields(item, deliveryOf));
  return withoutExamples({
    openapi,
    info,
    webhooks: events,
    components: { schemas },
    paths: mapFields(Object.fromEntries(api), (item) => mapFields(item, operationOf)),
  }) as Fields;
}

function operationOf(value: Json): Json {
  const operation = fieldsOf(value);
  const { operationId, summary, description, parameters, requestBody } = operation;
  const replies = Object.entries(fieldsOf(operation.responses)).filter(([status]) => status.startsWith("2"));
  return {
    operationId,
    summary,
    description,
    parameters,
    ...(requestBody && { requestBody: { ...fieldsOf(requestBody), content: bodyOf(requestBody) } }),
    responses: mapFields(Object.fromEntries(replies), (reply) => {
      const { description: why, content } = fieldsOf(reply);
      const json = fieldsOf(content)["application/json"];
      return { description: why, ...(json && { content: { "application/json": json } }) };
    }),
  };
}

/** An event's operation, of which receivers need the body alone. */
function deliveryOf(value: Json): Json {
  const { operationId, summary, requestBody } = fieldsOf(value);
  return { operationId, summary, requestBody, responses: {} };
}

function bodyOf(requestBody: Json): Fields {
  const content = fieldsOf(fieldsOf(requestBody).content);
  const best = BODIES.find((type) => content[type]);
  return best ? { [best]: content[best] } : {};
}

function withoutExamples(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== "object" || value === null) return value;
  const others = Object.entries(value).filter(([name]) => name !== "example" && name !== "examples");
  return Object.fromEntries(others.map(([name, inner]) => [name, withoutExamples(inner)]));
}

/** Drops the generator's head, what is never there, and its names of nothing. */
const compact = (text: string): string =>
  text
    .slice(text.indexOf("export interface"))
    .replace(/^ +\w+\?: never;\n/gm, "")
    .replace(/^export type \$defs = .*\n/m, "")
    .replace(/^ +parameters: \{\n +\};\n/gm, "")
    .replace(/^ +/gm, (indent) => " ".repeat(indent.length / 2 + (indent.length % 4)));
