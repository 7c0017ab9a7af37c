import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, expect, test } from "vitest";
import {
  type ApiDocument,
  innerSchemas,
  mediaTypesIn,
  operationsIn,
  type Schema,
} from "../../functions/api/openapi/schema.ts";
import { serviceDocument } from "../../workers/build/api-document.ts";
import { withParameters } from "../support/parameters.ts";

interface Described {
  operationId: string;
  description?: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Record<string, { example?: object }> };
  responses: Record<string, { description?: string }>;
}

let document: ApiDocument;
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

beforeAll(async () => {
  document = withParameters(await serviceDocument<ApiDocument>());
  ajv.addSchema({ $id: "api", components: document.components });
});

/** Schemas name each other from the document's root. */
const faultOf = (schema: Schema, example: unknown): string | undefined => {
  const absolute = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components', '"api#/components'),
  ) as Schema;
  return ajv.validate(absolute, example) ? undefined : ajv.errorsText();
};

/** All fields, each with where it stands. */
function fieldsIn(schema: Schema, where: string): { where: string; field: Schema }[] {
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    where: `${where}.${name}`,
    field,
  }));
  return [...own, ...innerSchemas(schema).flatMap((inner) => fieldsIn(inner, where))];
}

const fields = () => [
  ...Object.entries(document.components.schemas).flatMap(([name, schema]) => fieldsIn(schema, name)),
  ...mediaTypesIn(document).flatMap(({ schema }) => (schema ? fieldsIn(schema, "a body") : [])),
];

/** Whether a value is composed of the fields inside, or is one of a few. Null rules a field out. */
const isEvident = ({ $ref, anyOf, oneOf, items, properties, enum: values, const: value, type }: Schema) =>
  [$ref, anyOf, oneOf, items, properties, values, value].some((given) => given !== undefined) ||
  type === "boolean" ||
  type === "null";

test("every field has a description", () => {
  expect(fields().length).toBeGreaterThan(600);
  expect(fields().flatMap(({ where, field }) => (field.description ? [] : where))).toEqual([]);
});

test.each([
  ["User", "description", /^Plain text/],
  ["Me", "description", /^Plain text/],
  ["Episode", "number", /episode/],
  ["EpisodeChanges", "number", /episode/],
  ["WebProfile", "username", /at the service/],
  ["NewConnection", "service", /^The other service/],
  ["OlderToken", "scope", /^`\*`, unless/],
  ["Upload", "status", /`ready`/],
  ["WebhookTrack", "duration", /null/],
])("the description of %s.%s is its own", (name, field, words) => {
  const all = fieldsIn(document.components.schemas[name] ?? {}, name);
  expect(all.find(({ where }) => where === `${name}.${field}`)?.field.description).toMatch(words);
});

test("every field has an example, which its schema accepts", () => {
  const missing = fields().filter(({ field }) => !field.examples && !isEvident(field));
  expect(missing.map(({ where }) => where)).toEqual([]);
  for (const { where, field } of fields())
    for (const example of field.examples ?? [])
      expect([where, example, faultOf(field, example)]).toEqual([where, example, undefined]);
});

test("every body has an example, which its schema accepts", () => {
  const { schemas, examples = {} } = document.components;
  const bodies = mediaTypesIn(document).filter(({ schema }) => schema);
  expect(bodies.filter(({ example, examples }) => example === undefined && !examples)).toEqual([]);
  for (const { schema = {}, example } of bodies)
    if (example !== undefined) expect([example, faultOf(schema, example)]).toEqual([example, undefined]);
  expect(Object.keys(examples).length).toBeGreaterThan(40);
  for (const [name, { value }] of Object.entries(examples))
    expect([name, faultOf(schemas[name] ?? {}, value)]).toEqual([name, undefined]);
});

/** All objects in a value. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

/** Pairs of fields in one representation, with the text that the second must hold. */
const FITTING: [first: string, second: string, textIn: (value: unknown) => string][] = [
  ["id", "uri", (id) => `/${id}`],
  ["id", "urn", (id) => `:${id}`],
  ["kind", "urn", (kind) => `:${kind}s:`],
  ["uri", "secret_uri", (uri) => `${uri}?secret_token=s-`],
  ["permalink", "permalink_url", (permalink) => `/${permalink}`],
  ["code", "status", (code) => `${code} - `],
  ["resource_uri", "uri", (uri) => `${uri}/secret-token`],
];

test("the fields of an example fit each other", () => {
  const bodies = mediaTypesIn(document).map(({ example }) => example);
  const objects = [document.components.examples, ...bodies].flatMap(objectsIn);
  expect(objects.length).toBeGreaterThan(300);
  for (const object of objects)
    for (const [first, second, textIn] of FITTING)
      if (first in object && typeof object[second] === "string")
        expect([first, object[second]]).toEqual([first, expect.stringContaining(textIn(object[first]))]);
  for (const { user, user_id: id } of objects) if (user && id) expect(user).toMatchObject({ id });
});

test("the example of an error has the status of its reply", () => {
  const found = operationsIn(document).flatMap(({ operationId, responses = {} }) =>
    Object.entries(responses).flatMap(([status, reply]) => {
      const shared = document.components.responses[reply.$ref?.split("/").at(-1) ?? ""];
      const bodies = Object.values((shared ?? reply).content ?? {}).filter(({ schema }) =>
        /\/(?:OAuth)?Error$/.test(schema?.$ref ?? ""),
      );
      return bodies.map(({ example }) => ({ operationId, status, example }));
    }),
  );
  const wrong = found
    .filter(({ status }) => status !== "default")
    .filter(({ status, example }) => String(Object(example).code) !== status);
  expect([found.length > 1000, wrong]).toEqual([true, []]);
});

test("a list's next page is one of that list", () => {
  const nextOf = (name: string) => objectsIn(document.components.examples?.[name]?.value)[0]?.next_href;
  const paths = ["Feed", "TrackFeed", "Activities", "UserPage"].map(
    (name) => new URL(String(nextOf(name))).pathname,
  );
  expect(paths).toEqual(["/me/feed", "/me/feed/tracks", "/me/activities", "/me/followers"]);
});

test("every operation and every parameter has a description", () => {
  const operations = Object.values(document.paths ?? {}).flatMap((methods) =>
    Object.values(methods),
  ) as Described[];
  expect(operations.filter(({ description }) => !description).map(({ operationId }) => operationId)).toEqual(
    [],
  );
  for (const { operationId, parameters = [] } of operations)
    for (const { name, description } of parameters)
      expect([operationId, name, description]).toEqual([operationId, name, expect.stringMatching(/\w/)]);
});

test("no reply that succeeds or leads on is called an error", () => {
  for (const [path, methods] of Object.entries(document.paths ?? {}))
    for (const { responses } of Object.values(methods) as Described[])
      for (const [status, { description }] of Object.entries(responses))
        if (/^[23]/.test(status)) expect([path, status, description]).not.toContain("Error");
});

test("the example of a grant holds what that grant needs, and nothing of another", () => {
  const operation = document.paths?.["/oauth/token"]?.post as unknown as Described;
  const { example } = operation.requestBody?.content["application/x-www-form-urlencoded"] ?? {};
  expect(Object.keys(example ?? {})).toEqual([
    "grant_type",
    "code",
    "redirect_uri",
    "code_verifier",
    "client_id",
    "client_secret",
  ]);
});

test("integers have no bounds that say nothing, and numbers are never text", () => {
  expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  for (const { where, field } of fields()) {
    const types = [field.type ?? []].flat();
    const mixed =
      types.includes("string") && types.some((type) => ["integer", "number", "boolean"].includes(type));
    expect([where, mixed]).toEqual([where, false]);
  }
});

test.each([
  ["User", "country", /^[A-Z]{2}$/],
  ["Me", "plan", /^(?:Free|Artist|Artist Pro)$/],
  ["Me", "locale", /^null$/],
  ["UserInfo", "sub", /^u:\d+$/],
  ["Introspection", "sub", /^u:\d+$/],
  ["UserInfo", "name", /^Ana Torres$/],
  ["WebProfile", "urn", /^soundcloud:web-profiles:\d+$/],
  ["Webhook", "url", /^https:\/\/hooks\./],
  ["FeedItem", "reposter", /^soundcloud:users:\d+$/],
  ["User", "plan", /^null$/],
  ["OlderToken", "scope", /^\*$/],
  ["Token", "refresh_token", /^rt_.{43}$/],
  ["Track", "secret_token", /^s-[0-9A-Za-z]{22}$/],
  ["AppWithSecret", "client_secret", /^cs_.{43}$/],
])("the example of %s.%s is what the service sends", (name, field, sent) => {
  const [example] = document.components.schemas[name]?.properties?.[field]?.examples ?? [];
  expect(String(example)).toMatch(sent);
});

test("examples name things by the namespace that a deployment has unless its operator sets another", () => {
  const urns = JSON.stringify(document).match(/"[a-z]+:(?:users|tracks|playlists|comments):\d+"/g) ?? [];
  expect(new Set(urns.map((urn) => urn.slice(1, urn.indexOf(":"))))).toEqual(new Set(["soundcloud"]));
});
