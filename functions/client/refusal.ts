import {
  BadRequestError,
  ChangedError,
  ConflictError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "./api-errors.ts";
import { ApiError, isOAuthCode, OAuthError, type SoundpostError } from "./errors.ts";
import { jsonOf } from "./json.ts";

const CLASSES: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: ChangedError,
  422: InvalidError,
  429: RateLimitError,
};

interface Body {
  errors?: { error_message?: string }[];
  type?: string;
  link?: string;
  error?: string | null;
  error_description?: string;
}

/**
 * The error of a reply that is not 2xx. Proxies may send other bodies, such as `{"error": "…"}`, which is no error of
 * OAuth.
 */
export async function refusalOf(reply: Response): Promise<SoundpostError> {
  const { status, headers } = reply;
  const body = (await jsonOf<Body | null>(reply).catch(() => null)) ?? {};
  const { error, error_description: description } = body;
  if (isOAuthCode(error) && typeof description === "string")
    return new OAuthError(error, description, { status, type: body.type });
  const causes = Array.isArray(body.errors) ? body.errors.map((each) => each.error_message ?? "") : [];
  const Refused = CLASSES[status] ?? (status >= 500 ? ServiceError : ApiError);
  return new Refused({ status, causes, headers, type: body.type, link: body.link });
}
