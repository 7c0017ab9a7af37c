import { HttpError } from "../http-error.ts";
import { timestamp } from "./links.ts";

export interface RateLimit {
  /** Whose requests are counted together, as `by-user`. */
  bucket: string;
  /** Of what. */
  name: string;
  max: number;
  /** Seconds, and the same as ISO 8601 has it. */
  windowS: number;
  window: string;
}

/** The fields of draft-ietf-httpapi-ratelimit-headers: what is left, and the seconds until all of it is back. */
export const rateLimitHeaders = ({ name, max, windowS }: RateLimit, remaining: number, resetS: number) => ({
  RateLimit: `"${name}";r=${remaining};t=${resetS}`,
  "RateLimit-Policy": `"${name}";q=${max};w=${windowS}`,
});

/** 429 with all that a client needs to wait just long enough. */
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
