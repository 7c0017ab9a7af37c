import { beforeAll, expect, test } from "vitest";
import type { ApiDocument } from "../../functions/api/openapi/schema.ts";
import { serviceDocument } from "../../workers/build/api-document.ts";
import { CLIENT_TYPES, clientTypes } from "../../workers/build/client-types.ts";
import { schemaTypes } from "../../workers/build/schema-types.ts";
import { PROJECT_DIR, read } from "../support/structure.ts";

let document: ApiDocument;
let types: string;

beforeAll(async () => {
  document = await serviceDocument();
  types = clientTypes(PROJECT_DIR);
});

/** The client signs in and uploads by itself, and players follow addresses that replies name. */
const WITHOUT_TYPES = "uploads images media oauth2 .well-known oauth sign-out authorize".split(" ");

const ok = (schema: object) => ({ 200: { content: { "application/json": { schema } } } });

test("the typed client's types are those of the API document", () => {
  expect(types).toContain(schemaTypes(document));
  expect(read(CLIENT_TYPES)).toBe(types);
});

test("no commit holds them", () => {
  expect(read(".gitignore").split("\n")).toContain(CLIENT_TYPES);
});

test("each call and each resource has its type", () => {
  const paths = Object.keys(document.paths ?? {});
  const left = paths.filter((path) => !types.includes(`\n  ${JSON.stringify(path)}: {\n`));
  expect(paths.length - left.length).toBeGreaterThan(80);
  expect([...new Set(left.map((path) => path.split("/")[1]))]).toEqual(WITHOUT_TYPES);
  for (const name of Object.keys(document.components.schemas)) expect(types).toContain(`\n  ${name}: `);
  for (const event of Object.keys(document.webhooks ?? {})) expect(types).toContain(`\n  "${event}": {\n`);
});

test("a call takes its path, query and body, and returns what succeeds", () => {
  const shown = schemaTypes({
    paths: {
      "/things/{id}": {
        put: {
          summary: "Change a thing",
          description: "Or */ not.",
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "integer" }, description: "The id." },
            { name: "tags[all]", in: "query", schema: { type: "array", items: { type: "string" } } },
            { name: "If-Match", in: "header", schema: { type: "string" } },
            { name: "linked_partitioning", in: "query", schema: { type: "boolean" } },
          ],
          requestBody: {
            required: true,
            content: { "multipart/form-data": {}, "application/json": { schema: { $ref: "#/x/Thing" } } },
          },
          responses: { ...ok({ $ref: "#/x/Thing" }), 404: { content: {} } },
        },
      },
      "/oauth/token": { post: {} },
    },
    webhooks: {
      "thing.made": {
        post: { requestBody: { content: { "application/json": { schema: { $ref: "#/x/Thing" } } } } },
      },
    },
    components: { schemas: { Thing: { type: "string" } }, responses: {} },
  });
  expect(shown).toBe(`/** What each path takes and returns. */
export interface Paths {
  "/things/{id}": {
    /**
     * Change a thing
     *
     * Or *\\/ not.
     */
    put: {
      path: {
        /** The id. */
        id: number;
      };
      query?: {
        "tags[all]"?: Array<string>;
      };
      body: Schemas["Thing"] | FormData;
      reply: Schemas["Thing"];
    };
  };
}

/** Bodies of webhooks. */
export interface Events {
  "thing.made": Schemas["Thing"];
}

/** The API's resources. */
export interface Schemas {
  Thing: string;
}
`);
});

test.each([
  [{ type: "integer" }, "number"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ enum: ["a", "b", null] }, '"a" | "b" | null'],
  [{ const: "track" }, '"track"'],
  [{ anyOf: [{ type: "integer" }, { type: "number" }, { type: "null" }] }, "number | null"],
  [
    { type: "array", items: { anyOf: [{ type: "string" }, { $ref: "#/x/Track" }] } },
    'Array<string | Schemas["Track"]>',
  ],
  [
    { type: "object", properties: { "a-b": { type: "boolean" } }, required: ["a-b"] },
    '{\n    "a-b": boolean;\n  }',
  ],
  [{ type: "object", additionalProperties: { type: "string" } }, "{\n    [name: string]: string;\n  }"],
  [{}, "unknown"],
])("the schema %j becomes its type", (schema, type) => {
  const shown = schemaTypes({ components: { schemas: { Thing: schema }, responses: {} } });
  expect(shown).toContain(`export interface Schemas {\n  Thing: ${type};\n}`);
});
