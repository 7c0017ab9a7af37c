import * as z from "zod";
import { type BodyType, MEDIA_TYPES } from "./http/body.ts";
import {
  type Contract,
  type DocumentedRoute,
  type ResponseContract,
  resourceSegments,
  together,
} from "./http/contract.ts";
import type { Env } from "./http/env.ts";
import { ErrorBody, reasonOf } from "./http/errors.ts";
import { formFields } from "./http/form-fields.ts";
import { idempotent } from "./http/idempotency.ts";
import { firstSegment } from "./http/url.ts";
import { SIGNATURE_HEADERS, WEBHOOK_EVENTS } from "./webhooks/events.ts";

type Json = Record<string, unknown>;

const FORMATS = `Resources and their errors come as JSON or XML, for whoever asks by a suffix (\`/tracks/1.xml\`), by \`format=xml\` or by \`Accept\`, in this order of precedence; what cannot be had is 406. XML has the same names, with \`type\` and \`nil\` as attributes. With a \`callback\` replies come as JSONP: the status is always 200, and an error carries its code. JSONP is refused with 406 wherever a token or a secret is presented; in the older dialect a \`client_id\` alone is neither.`;

const BUDGETS = `Some writes count against a budget: likes, reposts, follows, comments, edits of playlists, tests and replays of webhooks. Each reply that counted says in \`RateLimit\` what is left and in how many seconds all of it is back, and in \`RateLimit-Policy\` how large the budget is and how many seconds it is for. A budget that is used up is 429 with \`Retry-After\`. Taking something back counts against none.`;

/** Its name, and a pattern with braces of its own. */
const PARAMETER = /:([A-Za-z]+)(?:\{(?:[^{}]|\{[^{}]*\})*\})?/g;

/** OpenAPI 3.1, from the very schemas that the handlers run. */
export function openApiDocument(routes: DocumentedRoute[], env: Pick<Env, "API_URL" | "AUTH_URL">): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  const resources = resourceSegments(routes);
  for (const { method, path, contract } of routes) {
    const template = path.replace(PARAMETER, "{$1}");
    const at = paths[template] ?? {};
    const whole = [
      contract,
      ...(contract.security || contract.formatted ? [negotiated] : []),
      ...(method === "POST" && contract.security ? [idempotent] : []),
    ].reduceRight((outer, inner) => together(outer, inner));
    at[method.toLowerCase()] = describe(template, whole, schemas);
    if (resources.has(firstSegment(path))) addFormats(at[method.toLowerCase()] as Described, method);
    paths[template] = at;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Soundpost",
      version: "1",
      description: `An open, self-hostable audio sharing platform API: upload, encode, share, find, embed and talk about audio.\n\n${FORMATS}\n\n${BUDGETS}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: env.API_URL }],
    paths,
    webhooks: Object.fromEntries(
      WEBHOOK_EVENTS.map((event) => [event.shape.type.value, { post: told(event, schemas) }]),
    ),
    components: {
      schemas,
      securitySchemes: {
        token: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description:
            "`Authorization: OAuth <ACCESS_TOKEN>`, of an app or of a user. `Bearer` is accepted as well. Older, where a deployment still offers it: `oauth_token` in query or form, or to read what is public `client_id` (or `consumer_key`) alone; such replies carry `Deprecation` and `Sunset`, and errors are `{errors: [{error_message}]}`.",
        },
        user: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`Authorization: OAuth <ACCESS_TOKEN>`, delegated by a user.",
        },
      },
    },
  };
}

/** What receivers of webhooks are sent. */
const told = (event: z.ZodType, schemas: Json): Json => ({
  tags: ["webhooks"],
  parameters: parameters("header", SIGNATURE_HEADERS),
  requestBody: {
    required: true,
    content: { "application/json": { schema: reference(event, schemas, "output") } },
  },
  responses: {
    "2XX": { description: "It has come. Anything else, and it comes again." },
    410: { description: "Nobody listens any more: the webhook is switched off." },
  },
});

type RequestBody = NonNullable<Contract["body"]>;

/** What any operation may answer when a part of the service is away. 503: nothing was done; 504: perhaps. */
const OUTAGES = { 503: ErrorBody, 504: ErrorBody };

function describe(path: string, contract: Contract, schemas: Json): Json {
  return {
    ...(contract.operationId !== undefined && { operationId: contract.operationId }),
    summary: contract.summary,
    ...(contract.description && { description: contract.description }),
    tags: contract.tags ?? [path.split("/")[1] ?? ""],
    security: contract.security ? [{ [contract.security]: [] }] : [],
    parameters: [
      ...parameters("path", contract.params),
      ...parameters("query", contract.query),
      ...parameters("header", contract.headers),
    ],
    ...(contract.body && { requestBody: requestBody(contract.body, contract.form, schemas) }),
    responses: Object.fromEntries(
      Object.entries({ ...OUTAGES, ...contract.responses }).map(([status, response]) => [
        status,
        { ...reply(Number(status), response, schemas), ...described(contract.descriptions?.[status]) },
      ]),
    ),
  };
}

const described = (description: string | undefined) => (description === undefined ? {} : { description });

interface Described {
  responses: Record<string, { content: Record<string, Json> }>;
}

const negotiated: Contract = { responses: { 400: ErrorBody, 406: ErrorBody } };

/** Whatever is JSON may be had as XML, and what is read as JSONP, whose errors are 200 too. */
function addFormats({ responses }: Described, method: string): void {
  for (const [status, { content }] of Object.entries(responses)) {
    const json = content?.["application/json"];
    if (!json?.schema) continue;
    content["application/xml"] = json;
    if (method === "GET" && status === "200") content["text/javascript"] = { schema: { type: "string" } };
  }
}

function requestBody({ schema, types }: RequestBody, form: z.ZodType | undefined, schemas: Json): Json {
  const described = reference(schema, schemas, "input");
  const content = types.map((type) => [
    MEDIA_TYPES[type],
    { schema: type === "json" || type === "xml" ? described : formBody(schema, type) },
  ]);
  if (form) content.push([MEDIA_TYPES.multipart, { schema: formBody(form, "multipart") }]);
  return { required: true, content: Object.fromEntries(content) };
}

/** Flat, as forms are; files come in multipart ones alone. */
function formBody(schema: z.ZodType, type: BodyType): Json {
  const fields = Object.entries(formFields(schema));
  const sendable = fields.filter(([, field]) => type === "multipart" || !isFile(field));
  return {
    type: "object",
    properties: Object.fromEntries(sendable.map(([name, field]) => [name, pointed(field)])),
  };
}

const isFile = (schema: unknown): boolean =>
  typeof schema === "object" && schema !== null && "format" in schema && schema.format === "binary";

function parameters(where: "path" | "query" | "header", schema: z.ZodObject | undefined): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { $schema: _dialect, description, ...described } = z.toJSONSchema(field, { io: "input" }) as Json;
    const standard = field instanceof z.ZodDefault ? { default: String(field.def.defaultValue) } : {};
    return {
      name,
      in: where,
      required: where === "path" || !z.safeParse(field, undefined).success,
      ...(description !== undefined && { description }),
      schema: { ...described, ...standard },
    };
  });
}

function reply(status: number, response: ResponseContract, schemas: Json): Json {
  const description = reasonOf(status);
  if (response === "") return { description };
  if (typeof response === "string") return { description, content: { [response]: {} } };
  return { description, content: { "application/json": { schema: reference(response, schemas, "output") } } };
}

/** Named schemas stand once, under their names: zod's `$defs` become components. A named schema is a reference itself. */
function reference(schema: z.ZodType, schemas: Json, io: "input" | "output"): Json {
  const {
    $schema: _dialect,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries($defs)) schemas[name] = pointed(definition);
  return pointed(own) as Json;
}

/** `#/$defs/X` → `#/components/schemas/X`, at any depth, and without files inside, which JSON cannot hold. */
function pointed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => !isFile(inner))
      .map(([key, inner]) => [
        key,
        key === "$ref" && typeof inner === "string"
          ? inner.replace("#/$defs/", "#/components/schemas/")
          : pointed(inner),
      ]),
  );
}
