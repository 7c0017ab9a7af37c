import { ApiError, type Refusal } from "./errors.ts";
import { retryAfterMs } from "./retry.ts";

/** 400: the request is malformed. */
export class BadRequestError extends ApiError {
  override name = "BadRequestError";
}

/** 401: the token is missing, wrong or expired. */
export class UnauthorizedError extends ApiError {
  override name = "UnauthorizedError";
}

/** 403: the token does not allow this. */
export class ForbiddenError extends ApiError {
  override name = "ForbiddenError";
}

/** 404: the resource does not exist, or not for this user. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409: the resource's state does not allow this. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 412: the resource was changed since the ETag of `If-Match`. */
export class ChangedError extends ApiError {
  override name = "ChangedError";
}

/** 422: fields are wrong. */
export class InvalidError extends ApiError {
  override name = "InvalidError";
  /** Problems by field, such as `{"track[title]": ["must not be empty"]}`. */
  get fields(): Record<string, string[]> {
    const found: Record<string, string[]> = {};
    for (const cause of this.causes) {
      const [, field, problem] = /^([\w[\].-]+): (.+)$/s.exec(cause) ?? [];
      if (field !== undefined && problem !== undefined) found[field] = [...(found[field] ?? []), problem];
    }
    return found;
  }
}

/** 429: a budget is used up. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
  /** Milliseconds until the budget has room again. */
  readonly retryAfterMs: number | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    this.retryAfterMs = retryAfterMs(refusal.headers);
  }
}

/** 500 and above: the service failed. After 503 nothing was done; after 504 the outcome is unknown. */
export class ServiceError extends ApiError {
  override name = "ServiceError";
}
