import { HttpError } from "./errors.ts";
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

/** 429 with all that a client needs to wait just long enough. */
export function overLimit(
  { bucket, name, max, windowS, window }: RateLimit,
  cause: string,
  waitS: number,
): never {
  const error = new HttpError(429, [cause], {
    "Retry-After": String(waitS),
    RateLimit: `"${bucket}";r=0;t=${waitS}`,
    "RateLimit-Policy": `"${bucket}";q=${max};w=${windowS}`,
  });
  error.meta = {
    rate_limit: { bucket, name, max_nr_of_requests: max, time_window: window },
    remaining_requests: 0,
    reset_time: timestamp(new Date(Date.now() + waitS * 1000)),
  };
  throw error;
}
