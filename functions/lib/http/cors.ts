const METHODS = "GET, HEAD, PUT, POST, DELETE";
const REQUEST_HEADERS =
  "Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Range, traceparent, X-Request-Id";
const EXPOSED =
  "Allow, Content-Length, Content-Range, Deprecation, ETag, Idempotent-Replayed, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Soundpost-Ignored, Sunset, WWW-Authenticate, X-Request-Id";

/** Any page may call the API, without credentials: cookies never authenticate there. */
export const OPEN_TO_ANY_PAGE: [name: string, text: string] = ["Access-Control-Allow-Origin", "*"];

/** Needed by pages only. Other clients read all headers anyway. */
export const READABLE_BY_PAGES: [name: string, text: string] = ["Access-Control-Expose-Headers", EXPOSED];

/** Headers of a file outside the API that any page may read. */
export const readableByPages: Record<string, string> = Object.fromEntries([
  OPEN_TO_ANY_PAGE,
  READABLE_BY_PAGES,
]);

/** The responder adds the origin header, as to every reply. */
export const preflightReply = () =>
  new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": METHODS,
      "Access-Control-Allow-Headers": REQUEST_HEADERS,
      "Access-Control-Max-Age": "86400",
    },
  });
