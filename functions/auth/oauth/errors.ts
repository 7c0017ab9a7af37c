import type { Context } from "hono";
import * as z from "zod";
import type { ErrorType } from "../../lib/errors/error-types.ts";
import { HttpError } from "../../lib/errors/http-error.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { ErrorCause, explainError, ForPrograms, renderError } from "../../lib/http/errors.ts";
import { about } from "../../lib/text/fields.ts";

const CODES = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "unauthorized_client",
  "unsupported_grant_type",
  "rate_limit_exceeded",
  "temporarily_unavailable",
  "server_error",
] as const;
type OAuthErrorCode = (typeof CODES)[number];

/** Maps codes to the types that explain them. */
const TYPES: Record<OAuthErrorCode, ErrorType> = {
  invalid_request: "invalid-request",
  invalid_client: "invalid-client",
  invalid_grant: "invalid-grant",
  invalid_scope: "invalid-scope",
  unauthorized_client: "unauthorized-client",
  unsupported_grant_type: "unsupported-grant-type",
  rate_limit_exceeded: "rate-limit-exceeded",
  temporarily_unavailable: "temporarily-unavailable",
  server_error: "server-error",
};

const STATUS: Partial<Record<OAuthErrorCode, HttpError["status"]>> = {
  invalid_client: 401,
  rate_limit_exceeded: 429,
  temporarily_unavailable: 503,
  server_error: 500,
};

/**
 * RFC 6749 §5.2. Strict clients need `error` and `error_description`; fields of the error object accompany
 * them.
 */
export class OAuthError extends HttpError {
  readonly code: OAuthErrorCode;

  /** `description` is printable ASCII without quotes or backslashes: RFC 6749 §5.2. */
  constructor(
    code: OAuthErrorCode,
    description: string,
    { headers, meta, type }: { headers?: Record<string, string>; meta?: object; type?: ErrorType } = {},
  ) {
    super(STATUS[code] ?? 400, [description], headers, type ?? TYPES[code]);
    this.name = "OAuthError";
    this.code = code;
    this.fields = { error: code, error_description: description };
    this.meta = meta;
  }
}

const ENDPOINTS = new Set(["/oauth/token", "/oauth/revoke", "/oauth/introspect"]);

export const isOAuthEndpoint = (path: string): boolean => ENDPOINTS.has(path);

/** Maps statuses without an OAuth code. A failure of the service never reads as a refusal. */
export function codeOf({ status }: HttpError): OAuthErrorCode {
  if (status === 429) return "rate_limit_exceeded";
  if (status === 503 || status === 504) return "temporarily_unavailable";
  return status >= 500 ? "server_error" : "invalid_request";
}

/** Renders any error of an OAuth endpoint in OAuth's format. */
export function renderOAuthError(error: unknown, c: Context<AppEnv>): Response {
  const known = explainError(error, c);
  if (!known.fields.error)
    known.fields = { error: codeOf(known), error_description: asDescription(known.causes[0] ?? "") };
  return renderError(known, c);
}

/** Printable ASCII without quotes or backslashes: RFC 6749 §5.2. */
export const asDescription = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, "?");

export const OAuthErrorBody = z
  .strictObject({
    error: z.enum(CODES).meta(about("Code of RFC 6749.", "invalid_grant")),
    error_description: z
      .string()
      .meta(
        about(
          "The cause in words, for developers.",
          "the code was used before, and works once; send the user to /authorize again",
        ),
      ),
    code: z.int().meta(about("The status.", 400)),
    message: z.string().meta(about("`<status> - <reason>`", "400 - Bad Request")),
    link: z
      .string()
      .meta(
        about(
          "Explains this error, and what to do about it.",
          "https://api.soundpost.example/docs/errors#used-code",
        ),
      ),
    status: z.string().meta(about("The same as `message`.", "400 - Bad Request")),
    errors: z.array(ErrorCause).describe("One entry a cause."),
    ...ForPrograms.shape,
  })
  .meta({ id: "OAuthError" });
