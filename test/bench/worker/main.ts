import type { ExecutionContext } from "@cloudflare/workers-types";
import { sql } from "drizzle-orm";
import { Hono } from "hono";
import { openDatabase } from "../../../db/client.ts";
import { serve } from "../../../functions/app.ts";
import type { AppEnv, Env } from "../../../functions/http/env.ts";

/** What any request of this Worker that asks the database must cost: a route, one statement, one reply. */
const bare = new Hono<AppEnv>().get("/bench/select-1", async (c) =>
  c.json(await openDatabase(c.env).execute(sql`select 1 as one`)),
);

export default {
  fetch: (request: Request, env: Env, ctx: ExecutionContext) =>
    request.url.endsWith("/bench/select-1")
      ? bare.fetch(request, env, ctx as never)
      : serve(request, env, ctx),
};
