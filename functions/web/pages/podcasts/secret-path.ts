import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";

/** The secret token in the path, or in the query as the API takes it. */
export const secretIn = (c: Context<AppEnv>): string | undefined =>
  c.req.param("secret") ?? c.req.query("secret_token");
