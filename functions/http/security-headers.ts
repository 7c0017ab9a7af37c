import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./env.ts";
import { replyHeaders } from "./reply-headers.ts";

/** On every reply, errors included. Pages replace the policy by their own. */
export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const headers = replyHeaders(c);
  // Hono leaves the charset out, and older clients guess.
  if (headers.get("Content-Type") === "application/json") headers.set("Content-Type", JSON_TYPE);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "no-referrer");
  headers.set("Cross-Origin-Resource-Policy", "cross-origin");
  headers.set("Vary", "Accept, Authorization, Origin");
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", NOTHING);
  if (c.env.API_URL.startsWith("https:"))
    headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  if (c.get("viewer") && !headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-cache");
});

const JSON_TYPE = "application/json; charset=utf-8";

const NOTHING = "default-src 'none'; frame-ancestors 'none'";
