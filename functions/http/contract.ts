import type { Context, Handler, Hono, MiddlewareHandler } from "hono";
import * as z from "zod";
import { type BodyType, readBody } from "./body.ts";
import { ahead } from "./chain.ts";
import type { AppEnv } from "./env.ts";
import { badRequest, ErrorBody, invalid, notFound } from "./errors.ts";
import { fileFields } from "./form-fields.ts";
import { firstReplyTo } from "./idempotency.ts";
import { isMultipart } from "./multipart.ts";
import { Remembered } from "./remember.ts";
import { shapeOf } from "./shape.ts";
import { urlOf } from "./url.ts";
import { elementValue, XmlElement } from "./xml-body.ts";

/** What one middleware of a route promises. A route's contract is the sum over its handlers. */
export interface Contract {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: "token" | "user";
  /** Everybody's, and yet in the format that is asked for. */
  formatted?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: { schema: z.ZodType; types: readonly BodyType[] };
  /** A multipart form that the route reads itself, as it arrives. */
  form?: z.ZodType;
  responses?: Record<number, ResponseContract>;
}

/** A schema is a JSON reply; a string is the media type of another kind (media, a page), empty where there is no body. */
export type ResponseContract = z.ZodType | string;

const contracts = new WeakMap<object, Contract>();

/** Ties a middleware to what it enforces, so that the document cannot disagree. */
export function documented<Middleware extends MiddlewareHandler<never> | MiddlewareHandler>(
  middleware: Middleware,
  contract: Contract,
): Middleware {
  contracts.set(middleware, contract);
  return middleware;
}

export interface DocumentedRoute {
  method: string;
  path: string;
  contract: Contract;
}

/** Every route of an app with its contract; routes without one are left out. */
export function documentedRoutes(app: Pick<Hono<AppEnv>, "routes">): DocumentedRoute[] {
  const routes = new Map<string, DocumentedRoute>();
  for (const { method, path, handler } of app.routes) {
    const contract = contracts.get(handler as Handler);
    if (!contract) continue;
    const key = `${method} ${path}`;
    routes.set(key, { method, path, contract: together(routes.get(key)?.contract ?? {}, contract) });
  }
  return [...routes.values()].filter((route) => route.contract.summary);
}

export function segmentOf(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}

/** First path segments of routes that ask for a token, or are formatted as those that do. */
export const resourceSegments = (routes: DocumentedRoute[]): Set<string> =>
  new Set(
    routes
      .filter(({ contract }) => contract.security || contract.formatted)
      .map(({ path }) => segmentOf(path)),
  );

export function together(one: Contract, other: Contract): Contract {
  const responses = { ...one.responses, ...other.responses };
  const headers = { ...one.headers?.shape, ...other.headers?.shape };
  return { ...one, ...other, responses, headers: z.object(headers) };
}

/** Names the operation and its replies. First on every route. */
export function operation(
  summary: string,
  responses: Record<number, ResponseContract>,
  more: Pick<Contract, "description" | "tags"> = {},
): MiddlewareHandler {
  return documented(
    ahead((c) => c.set("replies", responses)),
    { summary, responses, ...more },
  );
}

type Validated<Target extends "param" | "query" | "json", Schema extends z.ZodType> = MiddlewareHandler<
  AppEnv,
  string,
  { in: Record<Target, z.input<Schema>>; out: Record<Target, z.output<Schema>> }
>;

/** Path parameters. What is no id names nothing: 404. */
export function param<Schema extends z.ZodObject>(schema: Schema): Validated<"param", Schema> {
  const [name = "", ...others] = Object.keys(schema.shape);
  const parse = (c: Context): object => {
    const parsed = schema.safeParse(c.req.param());
    return parsed.success ? Object.freeze(parsed.data) : notFound("Resource");
  };
  return documented(
    ahead((c) => {
      const only = others.length ? undefined : c.req.param(name);
      const isShort = only !== undefined && only.length <= MAX_PARSED_CHARS;
      c.req.addValidatedData("param", isShort ? parsedOnce(schema, only, () => parse(c)) : parse(c));
    }),
    { params: schema, responses: { 404: ErrorBody } },
  );
}

/** Ids are short. */
const MAX_PARSED_CHARS = 64;
/** Of each schema, some 1,000. */
const PARSED_BOUNDS = { maxBytes: 256 * 2 ** 10, bytesOf: (text: string) => 2 * text.length + 200 };
const parsedBefore = new WeakMap<z.ZodObject, Remembered<string, object>>();

/** Most ask for what was asked for before. */
function parsedOnce(schema: z.ZodObject, text: string, parse: () => object): object {
  const before = parsedBefore.get(schema) ?? new Remembered<string, object>(PARSED_BOUNDS);
  parsedBefore.set(schema, before);
  const known = before.get(text);
  if (known) return known;
  const parsed = parse();
  before.set(text, parsed);
  return parsed;
}

/** What of the query the schema knows. */
function queryFields(c: Context, schema: z.ZodObject): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = c.req.queries(name);
    if (values && values.length > 1) badRequest(`${name} was sent more than once`);
    if (values?.[0] !== undefined) given[name] = values[0];
  }
  return given;
}

/** Query parameters: unknown ones are ignored, a repeated or malformed one is refused by name. */
export function query<Schema extends z.ZodObject>(
  schema: Schema,
  refuse: typeof invalid = invalid,
): Validated<"query", Schema> {
  // Most ask nothing, and of nothing the same comes each time.
  let ofNothing: Readonly<z.output<Schema>> | undefined;
  return documented(
    ahead((c) => {
      if (urlOf(c).includes("?"))
        c.req.addValidatedData("query", validate(schema, queryFields(c, schema), refuse));
      else {
        ofNothing ??= Object.freeze(validate(schema, {}, refuse));
        c.req.addValidatedData("query", ofNothing);
      }
    }),
    {
      query: schema,
      responses: refuse === invalid ? { 400: ErrorBody, 422: ErrorBody } : { 400: ErrorBody },
    },
  );
}

/**
 * The body, as JSON or a form; files come in a multipart one. What may be JSON may be XML. `decisions.md` §3 tells what is
 * 400 and what 422. `bare` is the field that a bare array stands for.
 */
export function body<Schema extends z.ZodType>(
  schema: Schema,
  types: readonly BodyType[] = ["json"],
  bare?: string,
): Validated<"json", Schema> {
  const accepted: readonly BodyType[] = types.includes("json") ? [...types, "xml"] : types;
  const files = types.includes("multipart") ? fileFields(schema) : undefined;
  return documented(
    async (c: Context<AppEnv>, next) => {
      const read = await readBody(c, accepted, files);
      const sent = read instanceof XmlElement ? elementValue(read, shapeOf(schema)) : read;
      const given = bare !== undefined && Array.isArray(sent) ? { [bare]: sent } : sent;
      if (typeof given !== "object" || given === null || Array.isArray(given))
        badRequest("The body must be an object");
      c.req.addValidatedData("json", validate(schema, given) as object);
      const answered = isMultipart(c.req.raw) ? await firstReplyTo(c, given) : undefined;
      if (answered) return answered;
      await next();
    },
    {
      body: { schema: withBare(schema, bare), types: accepted },
      responses: { 400: ErrorBody, 413: ErrorBody, 415: ErrorBody, 422: ErrorBody },
    },
  );
}

function withBare(schema: z.ZodType, bare: string | undefined): z.ZodType {
  const list = bare !== undefined && schema instanceof z.ZodObject ? schema.shape[bare] : undefined;
  return list ? z.union([schema, list]) : schema;
}

/** What the schema makes of it, else 400 or 422 with every field that is wrong. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  refuse: typeof invalid = invalid,
): z.output<Schema> {
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const missingOutermost = parsed.error.issues.filter(
    (issue) => issue.path.length === 1 && issue.input === undefined,
  );
  if (missingOutermost.length) return badRequest(missingOutermost.map(describeIssue));
  return refuse(parsed.error.issues.map(describeIssue));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.map((step, depth) => (depth ? `[${String(step)}]` : String(step))).join("");
  const message = issue.input === undefined ? "is missing" : issue.message;
  return field ? `${field}: ${message}` : message;
}
