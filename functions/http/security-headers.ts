import type { Context } from "hono";
import type { AppEnv } from "./env.ts";
import { JSON_TYPE } from "./json-type.ts";

/** On every reply, errors included. Pages replace the policy by their own. */
export function secure(c: Context<AppEnv>, headers: Headers): void {
  if (headers.get("Content-Type") === "application/json") headers.set("Content-Type", JSON_TYPE);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "no-referrer");
  headers.set("Cross-Origin-Resource-Policy", "cross-origin");
  headers.set("Vary", "Accept, Authorization, Origin");
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", NOTHING);
  if (c.env.API_URL.startsWith("https:"))
    headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  if (c.get("viewer") && !headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-cache");
}

const NOTHING = "default-src 'none'; frame-ancestors 'none'";
