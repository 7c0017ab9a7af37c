/** Details of a refusal, from the API's error object. */
export interface Refusal {
  status: number;
  /** A text for each cause, such as `track[title]: must not be empty`. */
  causes: string[];
  headers: Headers;
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
  readonly link: string | undefined;
  readonly requestId: string | undefined;

  constructor({ status, causes, headers, link }: Refusal) {
    super(causes.join("; ") || `The service answered ${status}`);
    this.status = status;
    this.causes = causes;
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

/** The authorization server refused. `code` is one of RFC 6749, such as `invalid_grant`. */
export class OAuthError extends SoundpostError {
  override name = "OAuthError";
  readonly code: string;
  readonly status: number;

  constructor(code: string, description: string, status = 400) {
    super(description || code);
    this.code = code;
    this.status = status;
  }
}
