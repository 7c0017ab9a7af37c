import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import { ConfirmationNeeded, databaseFault, SessionEnded } from "../../../db/faults.ts";
import { ObjectStoreUnavailable } from "../../../db/objects/port.ts";
import { PERSONAL_CLIENT } from "../../../db/queries/personal-tokens.ts";
import type { ErrorType } from "../errors/error-types.ts";
import { HttpError } from "../errors/http-error.ts";
import { about } from "../text/fields.ts";
import { sizeInWords } from "../text/size.ts";
import type { AppEnv, Env } from "./env.ts";
import { JSON_TYPE } from "./json-type.ts";
import { describeError } from "./log.ts";
import { isRead } from "./methods.ts";

const REASONS: Record<number, string> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  206: "Partial Content",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  421: "Misdirected Request",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

export const reasonOf = (status: number): string => REASONS[status] ?? "Error";

export const ErrorCause = z.looseObject({
  error_message: z
    .string()
    .meta(about("One cause, with the field's name.", "track[title]: must not be empty")),
  field: z
    .string()
    .optional()
    .meta(
      about("The field or parameter, as the request names it. Absent if none is at fault.", "track[title]"),
    ),
});

/** Fields beside those of the specification, for programs. */
export const ForPrograms = z.object({
  type: z
    .string()
    .meta(about("The error's stable name, which is the anchor of `link`.", "unprocessable-entity")),
  request_id: z.string().meta(about("The same as `X-Request-Id`, for reports.", "0c4f9a52-4a5e-4d3b")),
});

/** The error object of the specification's "Errors". `errors` holds one entry per cause, naming the field. */
export const ErrorBody = z
  .strictObject({
    code: z.int().meta(about("The status.", 422)),
    message: z.string().meta(about("`<status> - <reason>`", "422 - Unprocessable Entity")),
    link: z
      .string()
      .meta(
        about(
          "Address that explains this error, and what to do about it.",
          "https://api.soundpost.example/docs/errors#unprocessable-entity",
        ),
      ),
    status: z.string().meta(about("The same as `message`.", "422 - Unprocessable Entity")),
    errors: z.array(ErrorCause).describe("One entry a cause."),
    error: z.null().meta(about("Null, except in OAuth's errors: there its code.", null)),
    ...ForPrograms.shape,
  })
  .meta({ id: "Error" });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Refusals that a route may document in addition to those of its checks. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 406 | 409 | 410 | 412 | 413 | 415 | 416 | 422 | 429 | 502;

function fail(
  status: ContentfulStatusCode,
  cause: string | string[],
  headers?: Record<string, string>,
  type?: ErrorType,
): never {
  throw new HttpError(status, typeof cause === "string" ? [cause] : cause, headers, type);
}

export const badRequest = (cause: string | string[], type?: ErrorType): never =>
  fail(400, cause, undefined, type);
export const malformed = (cause: string): never => badRequest(cause, "malformed-body");
export const forbidden = (cause: string, type?: ErrorType): never => fail(403, cause, undefined, type);
export const notFound = (what: string): never => fail(404, `${what} not found`);
export const conflict = (cause: string | string[]): never => fail(409, cause);
export const changedSince = (what: string): never =>
  fail(412, `${what} was changed since the ETag of If-Match; get it again`);
export const tooLarge = (cause: string): never => fail(413, cause);
export const bodyTooLarge = (maxBytes: number): never =>
  tooLarge(`The body may hold ${sizeInWords(maxBytes)} at most`);
export const unsupportedMediaType = (cause: string): never => fail(415, cause);
export const invalid = (cause: string | string[], type?: ErrorType): never =>
  fail(422, cause, undefined, type);
export const tooMany = (cause: string, retryAfterS: number): never =>
  fail(429, cause, { "Retry-After": String(retryAfterS) });
export const unavailable = (cause: string): never => fail(503, cause, { "Retry-After": retryAfter() });

export function unauthorized(cause: string, tokenSent: boolean, type?: ErrorType): never {
  return fail(401, cause, challenge(tokenSent), type);
}

/** RFC 6750 §3.1: no error code if no token was sent. */
function challenge(tokenSent: boolean): Record<string, string> {
  const error = tokenSent ? `, error="invalid_token"` : "";
  return { "WWW-Authenticate": `OAuth realm="api"${error}, Bearer realm="api"${error}` };
}

export function sessionEnded(): never {
  throw new SessionEnded();
}

function sessionRefusal(c: Context<AppEnv>): HttpError {
  const viewer = c.get("viewer");
  // An app that sent only its client id has no session that could end: the id is wrong.
  if (viewer?.sessionId === 0)
    return new HttpError(
      401,
      ["client_id: there is no such app, or it is disabled"],
      challenge(false),
      "unknown-app",
    );
  const cause =
    viewer?.clientId === PERSONAL_CLIENT
      ? `The personal token has ended: make another at ${c.env.AUTH_URL}/settings/tokens`
      : `The access token's session has ended, so refreshing does not help: send the user to ${c.env.AUTH_URL}/authorize again, or ask for a new token of the app's own`;
  return new HttpError(401, [cause], challenge(true), "revoked-token");
}

/** Names the refusal below: pages recognize it. */
export const CONFIRMATION_NEEDED = "confirmation-needed" satisfies ErrorType;

/** Tells how to confirm. The settings send the link again. */
const confirmationRefusal = ({ AUTH_URL }: Env): HttpError =>
  new HttpError(
    403,
    [
      `Confirm your e-mail address first: open the link that we mailed to you. ${AUTH_URL}/settings#email sends another`,
    ],
    {},
    CONFIRMATION_NEEDED,
  );

/** Seconds, spread so that clients do not return all at once. */
const retryAfter = () => String(5 + Math.floor(Math.random() * 25));

/** The address that explains the error. Its anchors are the names in `ERROR_TYPES`. */
export const referenceOf = (env: Pick<Env, "API_URL">, type: string): string =>
  `${env.API_URL}/docs/errors#${type}`;

/** An error's own type, or the one of its status. */
export const typeOf = ({ type, status }: Pick<HttpError, "type"> & { status: number }): string =>
  type ?? reasonOf(status).toLowerCase().replaceAll(" ", "-");

function errorBody({ status, causes, meta, type }: HttpError, c: Context<AppEnv>): ErrorBody {
  const message = `${status} - ${reasonOf(status)}`;
  const name = typeOf({ type, status });
  return {
    code: status,
    message,
    link: referenceOf(c.env, name),
    status: message,
    errors: causes.map((cause, index) => ({ ...describeCause(cause), ...(index === 0 && meta && { meta }) })),
    error: null,
    type: name,
    request_id: c.get("requestId"),
  };
}

/** A cause that is about a field begins with its name: `track[title]: must not be empty`. */
export function describeCause(cause: string): z.infer<typeof ErrorCause> {
  const [, field] = /^([a-z]\w*(?:\[\w*\])*): /.exec(cause) ?? [];
  return { error_message: cause, ...(field && { field }) };
}

/**
 * Converts any error to an HTTP error. Unknown errors never show their message; failures of the service are
 * logged.
 */
export function explainError(error: unknown, c: Context<AppEnv>): HttpError {
  const known = refusalOf(error, c) ?? convertError(error, isRead(c));
  if (known.status >= 500)
    c.get("log")?.add({ ...describeError(error), sqlstate: databaseFault(error)?.sqlstate });
  return known;
}

/** Explains the database's refusal of a caller, if it is one. */
function refusalOf(error: unknown, c: Context<AppEnv>): HttpError | undefined {
  if (error instanceof SessionEnded) return sessionRefusal(c);
  if (error instanceof ConfirmationNeeded) return confirmationRefusal(c.env);
  return undefined;
}

/** Renders every error except those of pages, which have their own renderers. */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const known = explainError(error, c);
  for (const [name, value] of Object.entries(known.headers)) c.header(name, value);
  c.header("Cache-Control", "no-store");
  c.header("Content-Type", JSON_TYPE);
  if (c.get("dialect") === "older") return olderError(known, c);
  return c.body(JSON.stringify({ ...errorBody(known, c), ...known.fields }), known.status);
}

const OLDER_ERROR_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, PUT, POST, DELETE",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, Accept",
};

/** The specification's "Older error body", with its headers. */
function olderError({ status, causes }: HttpError, c: Context<AppEnv>): Response {
  for (const [name, value] of Object.entries(OLDER_ERROR_HEADERS)) c.header(name, value);
  // Older clients recognize a missing resource by this very text.
  const texts = status === 404 ? ["404 - Not Found"] : causes;
  const errors = texts.map((cause) => ({ error_message: cause }));
  return c.body(JSON.stringify({ errors }), status);
}

function convertError(error: unknown, reading: boolean): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof HTTPException) return new HttpError(error.status, [error.message]);
  if (error instanceof ObjectStoreUnavailable) {
    return new HttpError(503, ["Storage is unavailable; nothing was changed. Try again."], {
      "Retry-After": retryAfter(),
    });
  }
  switch (databaseFault(error)?.kind) {
    case "unavailable":
    case "rolled_back":
    case "late":
      return databaseUnavailable();
    case "lost":
    case "timeout":
      // A read cannot have changed anything, so its outcome is not in doubt.
      if (reading) return databaseUnavailable();
      return new HttpError(504, [
        "The database did not answer in time; check the resource before trying again.",
      ]);
    case "conflict":
      return new HttpError(409, ["Another change came first; look at the resource and try again"]);
    case "bad_text":
      return new HttpError(422, ["A value cannot be stored: it is out of range or not valid text"]);
    default:
      return new HttpError(500, ["Something went wrong on our side. Report the request id."]);
  }
}

const databaseUnavailable = () =>
  new HttpError(503, ["The database is unavailable; try again."], { "Retry-After": retryAfter() });
