import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { SCOPE_NAMES } from "../../functions/lib/http/scopes.ts";
import { serviceDocument } from "../../workers/build/api-document.ts";
import { withParameters } from "../support/parameters.ts";

interface Parameter {
  in: string;
  name: string;
  description?: string;
  style?: string;
  explode?: boolean;
  schema: { type?: string; minimum?: number; maximum?: number; pattern?: string; items?: { type?: string } };
}

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, object>;
  required?: string[];
  oneOf?: Schema[];
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  deprecated?: boolean;
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

interface OpenApi {
  info: { version: string };
  tags: { name: string }[];
  webhooks: Record<string, Record<string, Operation>>;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: Record<string, { type: string; flows: Record<string, { scopes: object }> }>;
    responses: Record<string, { headers: Record<string, object> }>;
    headers: Record<string, { required?: boolean }>;
  };
}

let document: OpenApi;
let operations: Operation[];

beforeAll(async () => {
  document = withParameters(await serviceDocument<OpenApi>());
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
});

test("each operation has a unique id", () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.length).toBeGreaterThan(150);
  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("no schema has a name that generators give to an operation's errors or bodies", () => {
  const made = operations.flatMap(({ operationId: id }) =>
    ["Data", "Error", "Errors", "Params", "Request", "Response", "Result"].map(
      (end) => `${id.slice(0, 1).toUpperCase()}${id.slice(1)}${end}`,
    ),
  );
  const names = Object.keys(document.components.schemas);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => made.includes(name))).toEqual([]);
});

test("no field's schema is `true` or `false`, which generators such as orval cannot read", () => {
  const forms = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
  const fields = forms.flatMap(({ schema }) => Object.values(schema?.properties ?? {}));
  expect(fields.length).toBeGreaterThan(50);
  expect(fields.filter((field) => typeof field !== "object")).toEqual([]);
});

/** Finds each value that stands under a name anywhere in the document. */
function valuesOf(name: string): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(document, (key, value) => {
    if (key === name) found.push(value);
    return value;
  });
  return found;
}

test("patterns and values suit generators: no Unicode class, which Python refuses, and no value without a name", () => {
  const patterns = valuesOf("pattern");
  const values = valuesOf("enum").flat();
  expect([patterns.length > 5, values.length > 100]).toEqual([true, true]);
  expect(patterns.filter((pattern) => String(pattern).includes("\\p{"))).toEqual([]);
  expect(values.filter((value) => /^\W+$/.test(String(value)))).toEqual([]);
});

test("every reference resolves", () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
  const found = [...new Set([...references].map(([, path = ""]) => path))];
  const at = (path: string) =>
    path.split("/").reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], document);
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter((path) => at(path) === undefined)).toEqual([]);
});

test("`default` requires no header that only some errors have: 405, which requires `Allow`, stands beside it", () => {
  const { responses, headers } = document.components;
  const required = (name: string) =>
    Object.keys(responses[name]?.headers ?? {}).filter((of) => headers[of]?.required);
  expect(required("Error")).toEqual(["X-Request-Id"]);
  expect(required("MethodNotAllowed")).toEqual(["X-Request-Id", "Allow"]);
  expect(operations.filter((operation) => !operation.responses["405"])).toEqual([]);
});

test("a whole reply in JSON has a schema, unless another standard defines it", () => {
  const bare = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      status !== "206" && content["application/json"] && !content["application/json"].schema
        ? operationId
        : [],
    ),
  );
  expect(new Set(bare)).toEqual(
    new Set(["getAuthorizationServer", "getOpenIdConfiguration", "getKeys", "getProtectedResource"]),
  );
});

test("each parameter of a path has a description", () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const [method, { parameters }] of Object.entries(methods)) {
      const described = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      expect([method, path, described.sort()]).toEqual([method, path, names.sort()]);
    }
  }
});

test("operations name OAuth flows: one for users' tokens, one for apps' own", () => {
  const { user, app } = document.components.securitySchemes;
  expect([user?.type, Object.keys(user?.flows ?? {})]).toEqual(["oauth2", ["authorizationCode"]]);
  const scopes = Object.keys(user?.flows?.authorizationCode?.scopes ?? {});
  expect(scopes).toEqual([...SCOPE_NAMES, "*"]);
  expect([app?.type, Object.keys(app?.flows ?? {})]).toEqual(["oauth2", ["clientCredentials"]]);
  const { get: me } = document.paths["/me"] ?? {};
  const { get: track } = document.paths["/tracks/{id}"] ?? {};
  expect([me?.security, track?.security]).toEqual([[{ user: ["read"] }], [{ user: ["read"] }, { app: [] }]]);
});

test("every collection takes `limit` and `linked_partitioning`", () => {
  const { schemas } = document.components;
  const isCollection = (schema: Schema): boolean => {
    const { type, properties, oneOf = [] } = schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;
    return type === "array" || properties?.collection !== undefined || oneOf.some(isCollection);
  };
  // A companion's list of parts is what Uppy expects.
  const collections = operations.filter(({ operationId, responses }) => {
    const schema = responses["200"]?.content?.["application/json"]?.schema;
    return /^list/.test(operationId) && schema && isCollection(schema);
  });
  expect(collections.length).toBeGreaterThan(40);
  for (const { operationId, parameters } of collections)
    expect([operationId, parameters.map(({ name }) => name)]).toEqual([
      operationId,
      expect.arrayContaining(["limit", "linked_partitioning"]),
    ]);
});

test("query parameters have types: numbers with bounds, lists with commas", () => {
  const parameters = operations.flatMap((operation) => operation.parameters);
  for (const { schema } of parameters.filter(({ name }) => name === "limit"))
    expect(schema).toMatchObject({ type: "integer", minimum: 1, maximum: 200 });
  const lists = parameters.filter(
    (parameter) => parameter.in === "query" && parameter.schema.type === "array",
  );
  expect(lists.length).toBeGreaterThan(10);
  for (const { style, explode } of lists) expect([style, explode]).toEqual(["form", false]);
});

test("every list of URNs holds texts, and a colour may be written in either case", () => {
  const named = (name: string) =>
    operations.flatMap(({ parameters = [] }) => parameters.filter((parameter) => parameter.name === name));
  expect([...new Set(named("urns").map(({ schema }) => schema.items?.type))]).toEqual(["string"]);
  const [color] = named("color");
  for (const written of ["ff5500", "#FF5500"])
    expect(written).toMatch(new RegExp(color?.schema.pattern ?? "^$"));
});

test("every endpoint for tokens says what its form holds", () => {
  const forms = operations.filter(({ tags, requestBody }) => tags.includes("oauth") && requestBody);
  expect(forms.map(({ operationId }) => operationId).sort()).toEqual([
    "createOlderToken",
    "createToken",
    "introspectToken",
    "revokeToken",
    "signOut",
  ]);
});

test("a form says which fields it needs, and names no field that it refuses", () => {
  const formOf = (operationId: string, type: string) => {
    const { content = {} } = operations.find((one) => one.operationId === operationId)?.requestBody ?? {};
    const { required, properties = {} } = content[type]?.schema ?? {};
    return { required, refused: Object.keys(properties).filter((name) => /metadata_artist/.test(name)) };
  };
  const [form, multipart] = ["application/x-www-form-urlencoded", "multipart/form-data"] as const;
  for (const [operationId, type, required] of [
    ["createTrack", form, ["track[upload_id]", "track[title]"]],
    ["createTrack", multipart, ["track[title]"]],
    ["updateTrack", form, undefined],
    ["updateTrack", multipart, undefined],
    ["createConnection", form, ["service", "redirect_uri"]],
    ["createConnection", multipart, ["service", "redirect_uri"]],
  ] as const)
    expect([operationId, type, formOf(operationId, type)]).toEqual([
      operationId,
      type,
      { required, refused: [] },
    ]);
});

test("what the guide calls older is deprecated, and `/connect` and oEmbed name all their parameters", () => {
  const deprecated = operations.filter((operation) => operation.deprecated);
  expect(deprecated.map(({ operationId }) => operationId).sort()).toEqual([
    "addFavorite",
    "addUserFavorite",
    "connect",
    "createOlderToken",
    "getTrackStream",
    "listMyFavorites",
    "listUserFavorites",
    "removeFavorite",
    "removeUserFavorite",
  ]);
  const parametersOf = (path: string) => document.paths[path]?.get?.parameters.map(({ name }) => name);
  expect(parametersOf("/connect")).toEqual([
    "client_id",
    "redirect_uri",
    "response_type",
    "code_challenge",
    "code_challenge_method",
    "state",
    "display",
    "scope",
  ]);
  expect(parametersOf("/oembed")).toEqual([
    "url",
    "maxwidth",
    "maxheight",
    "color",
    "auto_play",
    "show_comments",
    "iframe",
    "format",
    "callback",
  ]);
});

test("undocumented errors are the error object, and JSONP is not a separate type", () => {
  for (const { responses } of operations) expect(responses.default).toBeDefined();
  expect(JSON.stringify(document.paths)).not.toContain("text/javascript");
});

test("ids, sizes and counts are 64 bits wide, so that generators make no field that an id overflows", () => {
  const integers = [...JSON.stringify(document).matchAll(/\{[^{}]*"type":"integer"[^{}]*\}/g)].map(
    ([text]) => JSON.parse(text) as { format?: string; maximum?: number; enum?: number[] },
  );
  expect(integers.length).toBeGreaterThan(300);
  const wide = integers.filter(({ format }) => format === "int64");
  expect(wide.length).toBeGreaterThan(200);
  expect(
    integers.filter(
      ({ format, maximum = Infinity, enum: values }) => !format && !values && maximum > 2 ** 31,
    ),
  ).toEqual([]);
});

test("each operation stands below a heading that the document describes, and each heading has some", () => {
  const { tags, webhooks } = document;
  const used = [...operations, ...Object.values(webhooks).flatMap((methods) => Object.values(methods))];
  expect(new Set(used.flatMap((operation) => operation.tags))).toEqual(new Set(tags.map(({ name }) => name)));
});

test("the document's version is the day of the changelog's latest entry", () => {
  const changelog = readFileSync("functions/web/docs/guides/changelog.md", "utf8");
  const [, latest = ""] = /^## (.+)$/m.exec(changelog) ?? [];
  expect(document.info.version).toBe(new Date(`${latest} UTC`).toISOString().slice(0, 10));
});
