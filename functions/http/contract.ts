import type { Context, Handler, Hono, MiddlewareHandler } from "hono";
import * as z from "zod";
import type { BodyType } from "./body.ts";
import { ahead } from "./chain.ts";
import type { AppEnv } from "./env.ts";
import { ErrorBody, invalid } from "./errors.ts";
import { acceptedTypes, parseBody, parseParams, parseQuery, withBare } from "./validate.ts";

/** What one middleware of a route promises. A route's contract is the sum over its handlers. */
export interface Contract {
  operationId?: string;
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
  /** Of refusals, in place of the status' reason. */
  descriptions?: Record<string, string>;
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
  const parse = parseParams(schema);
  return documented(
    ahead((c) => c.req.addValidatedData("param", parse(c))),
    { params: schema, responses: { 404: ErrorBody } },
  );
}

/** Query parameters: unknown ones are ignored, a repeated or malformed one is refused by name. */
export function query<Schema extends z.ZodObject>(
  schema: Schema,
  refuse: typeof invalid = invalid,
): Validated<"query", Schema> {
  const parse = parseQuery(schema, refuse);
  return documented(
    ahead((c) => c.req.addValidatedData("query", parse(c))),
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
  const parse = parseBody(schema, types, bare);
  return documented(
    async (c: Context<AppEnv>, next) => {
      const parsed = await parse(c);
      if (parsed instanceof Response) return parsed;
      c.req.addValidatedData("json", parsed as object);
      await next();
    },
    {
      body: { schema: withBare(schema, bare), types: acceptedTypes(types) },
      responses: { 400: ErrorBody, 413: ErrorBody, 415: ErrorBody, 422: ErrorBody },
    },
  );
}
