import { HttpError } from "../../errors/http-error.ts";
import { timestamp } from "../links.ts";

export interface RateLimit {
  /** The key by which requests are counted together, such as `by-user`. */
  bucket: string;
  /** The counted action, such as `likes`. */
  name: string;
  max: number;
  /** Seconds, and the same in ISO 8601. */
  windowS: number;
  window: string;
}

/** Fields of draft-ietf-httpapi-ratelimit-headers: the remaining budget, and the seconds until it is full again. */
export const rateLimitHeaders = ({ name, max, windowS }: RateLimit, remaining: number, resetS: number) => ({
  RateLimit: `"${name}";r=${remaining};t=${resetS}`,
  "RateLimit-Policy": `"${name}";q=${max};w=${windowS}`,
});

/** Throws 429 with the seconds to wait. */
export function overLimit(limit: RateLimit, cause: string, waitS: number): never {
  const { bucket, name, max, window } = limit;
  const error = new HttpError(429, [cause], {
    "Retry-After": String(waitS),
    ...rateLimitHeaders(limit, 0, waitS),
  });
  error.meta = {
    rate_limit: { bucket, name, max_nr_of_requests: max, time_window: window },
    remaining_requests: 0,
    reset_time: timestamp(new Date(Date.now() + waitS * 1000)),
  };
  throw error;
}
