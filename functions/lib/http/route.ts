import type { Context } from "hono";
import type * as z from "zod";
import { isMultipart } from "./body/multipart.ts";
import type { BodyType } from "./body/read.ts";
import { deprecationsOf } from "./deprecations.ts";
import type { AppEnv, TokenEnv, UserEnv } from "./env.ts";
import { badRequest, type ErrorStatus } from "./errors.ts";
import { settleFormat } from "./format/negotiate.ts";
import { answerOnce } from "./idempotency.ts";
import { noteUnknownParameters } from "./ignored.ts";
import type { RenderError } from "./respond.ts";
import type { RouteScope } from "./scopes.ts";
import { firstSegment } from "./url.ts";
import { parseBody, parseParams, parseQuery } from "./validate.ts";
import { authorizers, checkScope } from "./viewer.ts";

/**
 * Callers of a route. `token`: any live access token. `app`: the same, and a client id may write in the
 * older dialect. `user`: a user's token. `anyone`: everybody, in any format. `page`: everybody, in its own
 * media type.
 */
type Auth = keyof typeof authorizers;

/** The handler's context: `user` guarantees a `userId`, `token` and `app` guarantee a viewer. */
type EnvOf<A extends Auth> = A extends "user" ? UserEnv : A extends "token" | "app" ? TokenEnv : AppEnv;

/** A path may name a suffix of the parameter: `/:segment.mp3`. */
type WithoutSuffix<Name extends string> = Name extends `${infer Bare}.${string}` ? Bare : Name;

type ParamNames<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? WithoutSuffix<Name> | ParamNames<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? WithoutSuffix<Name>
    : never;

type Nothing = z.ZodObject<Record<never, never>>;

/** Requires a schema with exactly the parameters of the path. */
type ParamsField<Path extends string, Params> = [ParamNames<Path>] extends [never]
  ? { params?: undefined }
  : { params: Params };

/** Each write names its scope. Routes that take no token have none. */
type ScopeField<Method extends string, A extends Auth> = A extends "anyone" | "page"
  ? { scope?: undefined }
  : Method extends "GET"
    ? { scope?: RouteScope }
    : { scope: RouteScope };

/** A schema for JSON (so also XML and JSONP), or the media type of another reply. `""` means no body. */
export type ReplyBody = z.ZodType | string;

/** The requests and replies of a route. It validates requests and makes the API document. */
interface Contract<A extends Auth, Query, Body> {
  /** Unique, such as `listTrackComments`. Client generators name methods by it. */
  operationId: string;
  summary: string;
  description?: string;
  /** Heading in the API reference. Default: the first segment of the path. */
  tag?: string;
  auth: A;
  /** The scope that a token needs. Default: `read`, which only a GET may leave out. */
  scope?: RouteScope;
  /** An additional check of the caller, before the body is read. */
  admit?: (c: Context) => void;
  query?: Query;
  /** Status of a malformed query. Default: 422. */
  badQuery?: 400;
  body?: Body;
  /** The body of a form, where it differs from that of JSON. */
  form?: z.ZodType<z.output<NoInfer<Body>>>;
  /** Media types of the body. Default: JSON. XML comes with JSON. */
  accepts?: readonly BodyType[];
  /** The field of the body that a bare JSON array replaces. */
  bareArray?: string;
  /** Answers a multipart body in place of `body`, reading it as it arrives. */
  upload?: { body: z.ZodType; answer: (c: Context<EnvOf<A>>) => Promise<Response> };
  /** A body that the handler parses by another standard's rules. Only the document uses this schema. */
  ownBody?: { schema: z.ZodType; type: BodyType | "bytes" };
  /** `If-None-Match` for replies of `replyTagged`; `If-Match` if the handler passes on `expectedVersions`. */
  precondition?: "If-None-Match" | "If-Match";
  /** The reply is a file or leads to one, so an `Accept` without JSON is not refused. */
  media?: true;
  /** The reply with status 200 also comes as CSV. The handler asks `wantsCsv`. */
  csv?: true;
  /** Replies by status, including errors whose body is not the usual one. */
  replies: Record<number, ReplyBody>;
  /** A query that the handler parses by another standard's rules. Only the document uses this schema. */
  ownQuery?: z.ZodObject;
  /** Headers that the handler reads. Only the document uses this schema. */
  ownHeaders?: z.ZodObject;
  /** Repeating the POST changes nothing. Any other needs a function among `WORKS` of `db/keyed.ts`. */
  isRepeatable?: true;
  /** Path of what the POST makes or changes, if it differs from its own. */
  madeAt?: string;
  /** The client authenticates with its id and secret. */
  clientAuth?: true;
  /** `false`: the 429 has another cause than a budget. */
  budget?: false;
  /** Refusals besides those of the checks, each with its condition. */
  errors?: Partial<Record<ErrorStatus, string>>;
}

/** Parsed and validated. */
interface Input<Params, Query, Body> {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
}

/** A contract with its types erased. Requests are validated against it. */
export interface AnyContract extends Contract<Auth, z.ZodObject, z.ZodType> {
  params?: z.ZodObject;
}

export interface Route {
  method: string;
  path: string;
  handler: (c: Context) => Response | Promise<Response>;
  /** `undefined` for pages, which are not documented. */
  contract?: AnyContract;
  /** Default: the usual error renderer. */
  renderError?: RenderError;
}

/**
 * The routes of one resource, with full paths. Checks run in this order: auth, scope, `Idempotency-Key`, parameters
 * (404), query (400, 422), body (400, 413, 415, 422). Then comes the handler.
 */
export class Routes {
  readonly list: Route[] = [];
  readonly #renderError: RenderError | undefined;

  /** `renderError` renders errors of these routes. */
  constructor({ renderError }: { renderError?: RenderError } = {}) {
    this.#renderError = renderError;
  }

  readonly get = this.#documented("GET");
  readonly post = this.#documented("POST");
  readonly put = this.#documented("PUT");
  readonly delete = this.#documented("DELETE");
  /** A page for browsers. */
  readonly page = this.#undocumented("GET");
  /** Receives the form of a page. */
  readonly form = this.#undocumented("POST");
  /** Answers any method that no other route of the path has. */
  readonly otherwise = this.#undocumented("ALL");

  #documented<const Method extends string>(method: Method) {
    return <
      const Path extends string,
      A extends Auth,
      Params extends z.ZodObject<Record<ParamNames<Path>, z.ZodType>>,
      Query extends z.ZodObject = Nothing,
      Body extends z.ZodType = z.ZodUndefined,
    >(
      path: Path,
      contract: Contract<A, Query, Body> & ParamsField<Path, Params> & ScopeField<Method, A>,
      answer: (c: Context<EnvOf<A>>, input: Input<Params, Query, Body>) => Response | Promise<Response>,
    ): void => {
      const erased = contract as unknown as AnyContract;
      const handler = handlerOf(method, erased, answer as unknown as AnyAnswer);
      this.list.push({ method, path, handler, contract: erased, renderError: this.#renderError });
    };
  }

  #undocumented(method: string) {
    return <const Path extends string>(
      path: Path,
      handler: (c: Context<AppEnv, Path>) => Response | Promise<Response>,
    ): void => {
      this.list.push({ method, path, handler, renderError: this.#renderError });
    };
  }
}

type AnyAnswer = (
  c: Context,
  input: Record<"params" | "query" | "body", unknown>,
) => ReturnType<Route["handler"]>;

/**
 * Combines all checks and the handler in one function. Separate middlewares would cost promises on every
 * request.
 */
function handlerOf(method: string, contract: AnyContract, answer: AnyAnswer): Route["handler"] {
  const { auth, params, query, body, form, accepts = ["json"], upload, replies } = contract;
  const authorize = authorizers[auth];
  const scope = scopeOf(contract);
  const isMedia = contract.media ?? false;
  const offersCsv = contract.csv ?? false;
  const readParams = params && parseParams(params);
  const readQuery = query && parseQuery(query, contract.badQuery && badRequest);
  // The 415 also lists multipart, which `upload` answers.
  const taken: readonly BodyType[] = upload ? [...accepts, "multipart"] : accepts;
  const readBody = body && parseBody(body, taken, { bare: contract.bareArray, form });

  const known = new Set(Object.keys({ ...query?.shape, ...contract.ownQuery?.shape }));

  function run(c: Context): Response | Promise<Response> {
    if (auth !== "page") noteUnknownParameters(c, known);
    if (upload && isMultipart(c.req.raw)) return upload.answer(c);
    const input = { params: readParams?.(c), query: readQuery?.(c), body: undefined };
    if (!readBody) return answer(c, input);
    return readBody(c).then((read) => answer(c, { ...input, body: read }));
  }

  const mayRepeat = takesKey(method, auth);
  const deprecated = deprecationsOf(contract.operationId);
  return (c) => {
    c.set("replies", replies);
    if (deprecated.length) c.set("deprecations", deprecated);
    authorize(c);
    if (scope) checkScope(c, scope);
    contract.admit?.(c);
    if (auth !== "page") settleFormat(c, isMedia, offersCsv);
    return mayRepeat ? answerOnce(c, () => run(c), contract) : run(c);
  };
}

export const needsToken = (auth: Auth): boolean => auth === "token" || auth === "app" || auth === "user";

/** `undefined` for a route that takes no token. */
export const scopeOf = ({
  auth,
  scope = "read",
}: Pick<AnyContract, "auth" | "scope">): RouteScope | undefined => (needsToken(auth) ? scope : undefined);

/** Whether a route honours `Idempotency-Key`. */
export const takesKey = (method: string, auth: Auth): boolean => method === "POST" && needsToken(auth);

/** First path segments of routes that reply in the requested format. */
export const formattedSegments = (routes: readonly Route[]): Set<string> =>
  new Set(
    routes
      .filter(({ contract }) => contract && contract.auth !== "page")
      .map(({ path }) => firstSegment(path)),
  );
