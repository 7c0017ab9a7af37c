import type { ExecutionContext } from "@cloudflare/workers-types";
import { sql } from "drizzle-orm";
import { Hono } from "hono";
import { openDatabase } from "../../../db/client.ts";
import { openStorage } from "../../../db/objects/open.ts";
import { serve } from "../../../functions/app.ts";
import type { AppEnv, Env } from "../../../functions/http/env.ts";
import { countPlayed } from "../../../workers/plays.ts";

const bare = new Hono<AppEnv>()
  // What any request of this Worker that asks the database must cost: a route, one statement, one reply.
  .get("/bench/select-1", async (c) => c.json(await openDatabase(c.env).execute(sql`select 1 as one`)))
  // What any request of this Worker must cost whose bytes go to storage.
  .post("/bench/pipe", async (c) => {
    const { body } = c.req.raw;
    if (!body) return c.text("", 400);
    const size = Number(c.req.header("Content-Length"));
    await openStorage(c.env).objects.put("uploads", "bench/piped", {
      size,
      contentType: "audio/wav",
      stream: body,
    });
    return c.text("", 201);
  })
  // A batch as the queue of plays delivers it: workerd alone has no queue.
  .post("/bench/plays", async (c) => {
    const bodies = await c.req.json<unknown[]>();
    let acknowledged = false;
    const messages = bodies.map((body) => ({ body, attempts: 1 }));
    const batch = { messages, ackAll: () => (acknowledged = true), retryAll: () => {} };
    await countPlayed(batch, c.env);
    return c.json({ acknowledged }, acknowledged ? 200 : 503);
  });

/** Not by a URL parser: the service's own entry has none, and would be measured with one. */
const BARE = /^\w+:\/\/[^/]*\/bench\//;

export default {
  fetch: (request: Request, env: Env, ctx: ExecutionContext) =>
    BARE.test(request.url) ? bare.fetch(request, env, ctx as never) : serve(request, env, ctx),
};
