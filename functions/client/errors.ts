import type { Schemas } from "./types.ts";

/** Details of a refusal, from the API's error object. */
export interface Refusal {
  status: number;
  /** A text for each cause, such as `track[title]: must not be empty`. */
  causes: string[];
  headers: Headers;
  /** The error's stable name, such as `foreign-cursor`. */
  type?: string | undefined;
  /** Address of the error's explanation. */
  link?: string | undefined;
}

/** Any failure of a call, by class. */
export class SoundpostError extends Error {
  override name = "SoundpostError";
}

/** The service refused. */
export class ApiError extends SoundpostError {
  override name = "ApiError";
  readonly status: number;
  readonly causes: string[];
  /** The error's stable name, such as `foreign-cursor`. Go by it; the words of `causes` may change. */
  readonly type: string | undefined;
  readonly link: string | undefined;
  readonly requestId: string | undefined;

  constructor({ status, causes, headers, type, link }: Refusal) {
    super(causes.join("; ") || `The service answered ${status}`);
    this.status = status;
    this.causes = causes;
    this.type = type;
    this.link = link;
    this.requestId = headers.get("X-Request-Id") ?? undefined;
  }
}

/** The service cannot be reached, or its reply broke off. */
export class ConnectionError extends SoundpostError {
  override name = "ConnectionError";
}

/** Nobody is signed in, or the session has ended. */
export class SignInRequiredError extends SoundpostError {
  override name = "SignInRequiredError";
}

/** RFC 6749's codes of the token endpoint, and of the page that asks the user. */
export type OAuthErrorCode = Schemas["OAuthError"]["error"] | "access_denied" | "unsupported_response_type";

const CODES: Record<OAuthErrorCode, true> = {
  access_denied: true,
  invalid_client: true,
  invalid_grant: true,
  invalid_request: true,
  invalid_scope: true,
  rate_limit_exceeded: true,
  server_error: true,
  temporarily_unavailable: true,
  unauthorized_client: true,
  unsupported_grant_type: true,
  unsupported_response_type: true,
};

export const isOAuthCode = (text: unknown): text is OAuthErrorCode =>
  typeof text === "string" && Object.hasOwn(CODES, text);

/** The authorization server refused. `code` tells why. */
export class OAuthError extends SoundpostError {
  override name = "OAuthError";
  readonly code: OAuthErrorCode;
  readonly status: number;
  /** The error's stable name, which says more than `code`, such as `used-code`. */
  readonly type: string | undefined;

  constructor(code: OAuthErrorCode, description: string, { status = 400, type }: Partial<Refusal> = {}) {
    super(description || code);
    this.code = code;
    this.status = status;
    this.type = type;
  }
}
