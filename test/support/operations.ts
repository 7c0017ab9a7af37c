import { withParameters } from "./parameters.ts";
import { stack } from "./stack.ts";

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  type?: string | string[];
};

interface Described {
  security?: Record<string, string[]>[];
  parameters: { name: string; in: "path" | "query"; required: boolean; schema?: { enum?: string[] } }[];
  responses: object;
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface OpenApi {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation {
  /** Form: `GET /tracks/{id}`. */
  name: string;
  method: string;
  /** Form of the document: `/tracks/{id}`. */
  template: string;
  /** Kind of token required. `undefined`: none. */
  security: "token" | "user" | undefined;
  /** Scope that a user's token needs. */
  scope: string | undefined;
  statuses: number[];
  /** Fills every path parameter with one value, or with its first where it takes only certain ones. */
  path(value: string): string;
  queryNames: string[];
  /** Required query parameters with the question mark, or empty. */
  requiredQuery: string;
  /** A body with one value in every field, in an accepted type. `undefined`: no body. */
  body(value: string): { type: string; text: string } | undefined;
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** Form fields that the document omits: those of the token endpoints. */
const GRANT_FIELDS = [
  "grant_type",
  "client_id",
  "client_secret",
  "code",
  "code_verifier",
  "redirect_uri",
  "refresh_token",
  "token",
  "scope",
  "username",
  "password",
];

/** Lists every operation of the service's document, so that general tests cover future ones. */
export async function operations(): Promise<Operation[]> {
  const document = withParameters((await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as OpenApi);
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, described]) => operation(document, template, method, described)),
  );
}

function operation(document: OpenApi, template: string, method: string, described: Described): Operation {
  const { security = [], parameters, requestBody, responses } = described;
  const names = security.flatMap((one) => Object.keys(one));
  const verb = method.toUpperCase();
  return {
    name: `${verb} ${template}`,
    method: verb,
    template,
    security: names.includes("app") ? "token" : names.includes("user") ? "user" : undefined,
    scope: security.flatMap(({ user = [] }) => user)[0],
    statuses: Object.keys(responses)
      .filter((status) => status !== "default")
      .map(Number),
    path: (value) =>
      template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(wordOf(parameters, name) ?? value)),
    requiredQuery: requiredQuery(parameters),
    queryNames: parameters.filter((one) => one.in === "query").map(({ name }) => name),
    body(value) {
      if (method === "get" || method === "delete") return undefined;
      const schema = requestBody?.content[JSON_TYPE]?.schema;
      if (schema) return { type: JSON_TYPE, text: JSON.stringify(filled(document, schema, value)) };
      const fields = Object.fromEntries(GRANT_FIELDS.map((name) => [name, value]));
      return { type: FORM_TYPE, text: `${new URLSearchParams(fields)}` };
    },
  };
}

const wordOf = (parameters: Described["parameters"], name: string): string | undefined =>
  parameters.find((one) => one.in === "path" && one.name === name)?.schema?.enum?.[0];

/** All required parameters are ids or URLs. */
function requiredQuery(parameters: Described["parameters"]): string {
  const required = parameters.filter((one) => one.in === "query" && one.required);
  const query = new URLSearchParams(
    required.map(({ name }) => [name, name === "ids" ? "1" : `${stack.urls.api}/nobody`]),
  );
  return required.length ? `?${query}` : "";
}

function filled(document: OpenApi, schema: Schema, value: string, depth = 0): unknown {
  const { $ref, properties, items, type } = schema;
  if (depth > 6) return value;
  if ($ref)
    return filled(
      document,
      document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {},
      value,
      depth + 1,
    );
  if (type === "array") return [filled(document, items ?? {}, value, depth + 1)];
  if (!properties) return value;
  const entries = Object.entries(properties);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, filled(document, inner, value, depth + 1)]),
  );
}
