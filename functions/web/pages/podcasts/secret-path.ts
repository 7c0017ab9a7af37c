import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";

/** A private link holds its secret token. */
export const SECRET = ":secret{s-[0-9A-Za-z]+}";

/** The secret token in the path, or in the query as the API takes it. */
export const secretIn = (c: Context<AppEnv>): string | undefined =>
  c.req.param("secret") ?? c.req.query("secret_token");
