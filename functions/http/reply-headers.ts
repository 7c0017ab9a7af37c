import type { Context } from "hono";
import type { AppEnv } from "./env.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Those of the reply that are known to be mutable. */
    replyHeaders: Headers | undefined;
  }
}

/**
 * The reply's headers, to be changed in place. Hono's own `c.header()` makes a new `Response` for each header once there
 * is one, which costs more than all else that middleware does. Replies of `fetch` are immutable and copied once.
 */
export function replyHeaders(c: Context<AppEnv>): Headers {
  const { headers } = c.res;
  if (c.get("replyHeaders") === headers) return headers;
  try {
    // Changes nothing, but throws where headers are immutable.
    headers.delete("X-Powered-By");
  } catch {
    c.res = new Response(c.res.body, c.res);
  }
  c.set("replyHeaders", c.res.headers);
  return c.res.headers;
}
