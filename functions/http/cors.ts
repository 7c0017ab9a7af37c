const METHODS = "GET, HEAD, PUT, POST, DELETE";
const REQUEST_HEADERS =
  "Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, Range, X-Request-Id";
const EXPOSED =
  "Content-Length, Content-Range, ETag, Idempotent-Replayed, Location, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Request-Id";

/** Any page may call the API, without credentials: cookies never authenticate it. Who is no page reads all headers anyway. */
export function openToAnyPage(headers: Headers, byPage: boolean): void {
  headers.set("Access-Control-Allow-Origin", "*");
  if (byPage) headers.set("Access-Control-Expose-Headers", EXPOSED);
}

export const preflightReply = () =>
  new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": METHODS,
      "Access-Control-Allow-Headers": REQUEST_HEADERS,
      "Access-Control-Max-Age": "86400",
    },
  });
