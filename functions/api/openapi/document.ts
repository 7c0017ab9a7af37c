import type * as z from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { REPLY_HEADERS } from "../../lib/http/document/headers.ts";
import { operationOf } from "../../lib/http/document/operation.ts";
import { Refusals } from "../../lib/http/document/refusals.ts";
import { securitySchemes } from "../../lib/http/document/security.ts";
import type { Env } from "../../lib/http/env.ts";
import { formattedSegments, type Route } from "../../lib/http/route.ts";
import { firstSegment } from "../../lib/http/url.ts";
import { SIGNATURE_HEADERS, WEBHOOK_EVENTS } from "../webhooks/events.ts";
import { addErrorExamples } from "./error-examples.ts";
import { addExamples } from "./examples.ts";
import { useJsonTypes } from "./json-types.ts";
import { type ApiDocument, type Schema, schemasIn } from "./schema.ts";
import { shareParameters } from "./shared-parameters.ts";
import { TAGS } from "./tags.ts";

type Json = Record<string, unknown>;
type OpenApi = ReturnType<typeof createDocument>;
interface Operation {
  parameters?: { schema?: Schema }[];
}
type Urls = Pick<Env, "API_URL" | "AUTH_URL" | "WEB_URL">;

const FORMATS = `Resources and their errors are available as JSON and XML. Choose by suffix (\`/tracks/1.xml\`), by \`format=xml\` or by \`Accept\`, in this order of precedence; any other format is 406, except for the CSV of insights. A slash at the end of a resource's path is ignored. XML uses the same names, with \`type\` and \`nil\` as attributes. GET also supports JSONP (\`text/javascript\`) with a \`callback\`: the status is always 200, and an error carries its code. A request with a token or a secret gets 406 for JSONP; in the older dialect a \`client_id\` alone is neither. The replies below name JSON and XML only.`;

const BUDGETS = `Some writes count against a budget. Each user has one of their own in each app. These writes count: likes, reposts, follows, comments, edits of playlists, tracks shared with more people, registered apps, opened event streams, imports of podcasts, tests and replays of webhooks. All apps of a user together have twice the budget of one. Each counted reply has \`RateLimit\`, with what is left and the seconds until the budget is full again, and \`RateLimit-Policy\`, with the budget's size and its window in seconds. Beyond the budget the reply is 429 with \`Retry-After\`. Undoing never counts.`;

const OLDER = `Send tokens as \`Authorization: OAuth <ACCESS_TOKEN>\`; \`Bearer\` works too. Deployments may still accept older credentials: \`oauth_token\` in query or form, or \`client_id\` (or \`consumer_key\`) alone for reading public resources. Replies to these carry \`Deprecation\` and \`Sunset\`, and errors are \`{errors: [{error_message}]}\`.`;

/** The day of the last change that the changelog tells. */
const VERSION = "2026-11-29";

/** Builds the OpenAPI 3.1 document from the schemas that validate requests. */
export function openApiDocument(api: readonly Route[], auth: readonly Route[], env: Urls): Json {
  const routes = [...api, ...auth];
  const onAuthHost = new Set(auth);
  const formatted = formattedSegments(routes);
  const paths: ZodOpenApiPathsObject = {};
  const refusals = new Refusals();
  for (const route of routes) {
    if (!route.contract) continue;
    const template = templateOf(route.path);
    const isResource = formatted.has(firstSegment(route.path));
    paths[template] = {
      ...paths[template],
      [route.method.toLowerCase()]: {
        ...operationOf(route, route.contract, isResource, refusals),
        ...(onAuthHost.has(route) && { servers: [{ url: env.AUTH_URL }] }),
      },
    };
  }
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Soundpost",
        version: VERSION,
        description: `An open, self-hostable audio sharing platform API: upload, encode, share, find, embed and talk about audio.\n\n${FORMATS}\n\n${BUDGETS}\n\n${OLDER}`,
        contact: { url: env.WEB_URL },
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: env.API_URL }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      webhooks: Object.fromEntries(
        WEBHOOK_EVENTS.map((event) => [
          event.shape.type.value,
          { post: deliveryOperation(event.shape.type.value, event) },
        ]),
      ),
      components: { responses: refusals.used, securitySchemes: securitySchemes(env), headers: REPLY_HEADERS },
    },
    { allowEmptySchema: { custom: true, never: true } },
  );
  tidyParameters(document);
  const shown = withoutFiles(document) as ApiDocument;
  const seen = new Set<Schema>();
  for (const schema of schemasIn(shown)) useJsonTypes(schema, seen);
  shareParameters(shown);
  addErrorExamples(shown);
  addExamples(shown);
  return shown as unknown as Json;
}

/** Keeps one description per parameter. Lists in queries are comma-separated: `?ids=1,2`. */
function tidyParameters({ paths = {} }: OpenApi): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as Operation[];
  for (const { parameters = [] } of operations)
    for (const parameter of parameters) {
      delete parameter.schema?.description;
      delete parameter.schema?.items?.description;
      delete parameter.schema?.items?.example;
      if (parameter.schema?.type === "array") Object.assign(parameter, { style: "form", explode: false });
    }
}

/**
 * Removes optional files from JSON schemas. They belong to multipart forms, whose field names are flat. A required file
 * is in a form's own schema, or is the whole body.
 */
function withoutFiles(value: unknown, required: unknown = []): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutFiles(each));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name, inner]) =>
      name === "schema" ||
      name.includes("[") ||
      !isFile(inner) ||
      (Array.isArray(required) && required.includes(name)),
  );
  const needed = "required" in value ? value.required : [];
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, withoutFiles(inner, name === "properties" ? needed : [])]),
  );
}

const isFile = (schema: unknown): boolean =>
  typeof schema === "object" && schema !== null && "format" in schema && schema.format === "binary";

/** A delivery to a webhook's receiver. */
const deliveryOperation = (name: string, event: z.ZodType): ZodOpenApiOperationObject => ({
  operationId: `receive${name.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
  summary: `Receive \`${name}\``,
  tags: ["webhooks"],
  security: [],
  requestParams: { header: SIGNATURE_HEADERS },
  requestBody: { required: true, content: { "application/json": { schema: event } } },
  responses: {
    "2XX": { description: "Received. After any other status the delivery is repeated." },
    410: { description: "The receiver is gone: the webhook is switched off." },
  },
});

const templateOf = (path: string): string => path.replace(/:([A-Za-z]+)/g, "{$1}");
