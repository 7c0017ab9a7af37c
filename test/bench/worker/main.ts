import type { ExecutionContext } from "@cloudflare/workers-types";
import { sql } from "drizzle-orm";
import { Hono } from "hono";
import { openDatabase } from "../../../db/client.ts";
import { openStorage } from "../../../db/objects/open.ts";
import { serve } from "../../../functions/app.ts";
import type { AppEnv, Env } from "../../../functions/lib/http/env.ts";
import { countPlayed } from "../../../workers/queues/plays.ts";

const bare = new Hono<AppEnv>()
  // The least that a request with a query can cost: a route, one statement, one reply.
  .get("/bench/select-1", async (c) =>
    c.json(await openDatabase(c.env).write((on) => on.execute(sql`select 1 as one`))),
  )
  // The least that a request can cost whose body goes to storage.
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
  // Delivers a batch like the queue of plays, which bare workerd lacks.
  .post("/bench/plays", async (c) => {
    const bodies = await c.req.json<unknown[]>();
    let acknowledged = false;
    const messages = bodies.map((body) => ({ body, attempts: 1 }));
    const batch = { messages, ackAll: () => (acknowledged = true), retryAll: () => {} };
    await countPlayed(batch, c.env);
    return c.json({ acknowledged }, acknowledged ? 200 : 503);
  });

/** Avoids a URL parser, which the service's own entry does not use either. */
const BARE = /^\w+:\/\/[^/]*\/bench\//;

export default {
  fetch: (request: Request, env: Env, ctx: ExecutionContext) =>
    BARE.test(request.url) ? bare.fetch(request, env, ctx as never) : serve(request, env, ctx),
};
