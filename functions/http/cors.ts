import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./env.ts";
import { replyHeaders } from "./reply-headers.ts";

const METHODS = "GET, HEAD, PUT, POST, DELETE";
const REQUEST_HEADERS =
  "Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, Range, X-Request-Id";
const EXPOSED =
  "Content-Length, Content-Range, ETag, Idempotent-Replayed, Location, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Request-Id";

/** Any page may call the API, without credentials: cookies never authenticate it. `of` tells which paths are the API's. */
export const cors = (of: (path: string) => boolean) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!of(c.req.path)) return next();
    if (c.req.method === "OPTIONS") return c.body(null, 204, preflight);
    await next();
    const headers = replyHeaders(c);
    headers.set("Access-Control-Allow-Origin", "*");
    headers.set("Access-Control-Expose-Headers", EXPOSED);
  });

const preflight = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": METHODS,
  "Access-Control-Allow-Headers": REQUEST_HEADERS,
  "Access-Control-Max-Age": "86400",
};
