import * as z from "zod";
import { HttpError } from "../http/errors.ts";

type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "rate_limit_exceeded"
  | "temporarily_unavailable"
  | "server_error";

const STATUS: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  rate_limit_exceeded: 429,
  temporarily_unavailable: 503,
  server_error: 500,
};

/** RFC 6749 §5.2. Strict clients want `error` and `error_description`; the error object's other fields stand beside. */
export class OAuthError extends HttpError {
  readonly code: OAuthErrorCode;

  /** `description` is printable ASCII without quotes or backslashes: RFC 6749 §5.2. */
  constructor(
    code: OAuthErrorCode,
    description: string,
    headers: Record<string, string> = {},
    meta?: object,
  ) {
    super(STATUS[code] ?? 400, [description], headers);
    this.name = "OAuthError";
    this.code = code;
    this.fields = { error: code, error_description: description };
    this.meta = meta;
  }
}

export const OAuthErrorBody = z
  .strictObject({
    error: z.string(),
    error_description: z.string(),
    code: z.int(),
    message: z.string(),
    link: z.string(),
    status: z.string(),
    errors: z.array(z.looseObject({ error_message: z.string() })),
  })
  .meta({ id: "OAuthError" });
