import type { Context } from "hono";
import { OPEN_TO_ANY_PAGE } from "./cors.ts";
import type { Env } from "./env.ts";
import { JSON_TYPE } from "./json-type.ts";
import { NO_CONTENT, securityHeaders } from "./security-headers.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** The reply that was made by `resourceReply`, while there is no other. */
    resourceReply: Response | undefined;
  }
}

/**
 * A browser keeps its copy and asks each time whether it still holds. `no-transform`, because a network that compresses
 * on its way makes tags weak, and a weak one never fits `If-Match`.
 */
export const REVALIDATED = "private, max-age=0, must-revalidate, no-transform";

const made = new WeakMap<Env, Headers>();

function headersOf(env: Env): Headers {
  const known = made.get(env);
  if (known) return known;
  const headers = new Headers([
    ...securityHeaders(env),
    NO_CONTENT,
    OPEN_TO_ANY_PAGE,
    ["Content-Type", JSON_TYPE],
    ["Cache-Control", REVALIDATED],
  ]);
  made.set(env, headers);
  return headers;
}

/** A resource's JSON with all that is the same on each: the runtime copies headers faster than it sets one after the other. */
export function resourceReply(c: Context, json: string): Response {
  const reply = new Response(json, { headers: headersOf(c.env) });
  c.set("resourceReply", reply);
  return reply;
}

/** Whether the reply as it is now needs none of those headers any more. */
export const isResourceReply = (c: Context): boolean => c.get("resourceReply") === c.res;
