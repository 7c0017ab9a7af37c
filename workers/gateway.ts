import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { openDatabase } from "../db/client.ts";
import { mediaPrefix } from "../db/objects/keys.ts";
import { openStorage } from "../db/objects/open.ts";
import { dispatchNextJob, failJob, finishJob, heartbeat } from "../db/queries/jobs.ts";
import { findOriginal } from "../db/queries/originals.ts";
import type { Env } from "../functions/http/env.ts";
import { describeError, logLine } from "../functions/http/log.ts";
import { parseRange } from "../functions/http/range.ts";
import { Failed, Finished, Heartbeat } from "./reports.ts";
import { readTicket, type Ticket } from "./ticket.ts";

interface GatewayEnv {
  Bindings: Env;
  Variables: { ticket: Ticket };
}

/** Bytes. A part of the MP3 is 8 MiB; segments are far smaller. */
const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/** All that an encode may write: nothing else gets into the bucket through here. */
const OUTPUT =
  /^(?:hls\/(?:160|96)\/(?:init\.mp4|[0-9]{1,6}\.m4s)|mp3\/[0-9]{1,5}\.mp3|preview\.mp3|waveform\.(?:png|json))$/;

/**
 * What a transcoder sees of the service: its source, its outputs, its reports. Reached only through the container's
 * outbound handlers, locally by an unpublished port; the ticket tells which job and attempt.
 */
export const gateway = new Hono<GatewayEnv>();

gateway.use(
  "/jobs/:track/*",
  createMiddleware<GatewayEnv>(async (c, next) => {
    const [, given] = /^Bearer (\S+)$/.exec(c.req.header("Authorization") ?? "") ?? [];
    const ticket = given ? readTicket(c.env, given) : undefined;
    if (!ticket || String(ticket.track) !== c.req.param("track")) return c.json({ error: "bad_ticket" }, 401);
    c.set("ticket", ticket);
    await next();
  }),
);

gateway.get("/jobs/:track/source", async (c) => {
  const { track, lease } = c.var.ticket;
  const original = await findOriginal(openDatabase(c.env), track, lease);
  if (!original) return c.json({ error: "lease_lost" }, 410);
  const range = parseRange(c.req.header("Range"), original.size);
  if (!range) return c.body(null, 416, { "Content-Range": `bytes */${original.size}` });
  const { start, end } = range === "whole" ? { start: 0, end: original.size - 1 } : range;
  const found = await openStorage(c.env).objects.get(
    "uploads",
    original.key,
    range === "whole" ? undefined : range,
  );
  if (!found) return c.json({ error: "no_source" }, 404);
  return c.body(found.body, range === "whole" ? 200 : 206, {
    "Content-Length": String(end - start + 1),
    ...(range !== "whole" && { "Content-Range": `bytes ${start}-${end}/${original.size}` }),
  });
});

gateway.put("/jobs/:track/outputs/:name{.+}", async (c) => {
  const { track, lease } = c.var.ticket;
  const name = c.req.param("name");
  const size = Number(c.req.header("Content-Length") ?? Number.NaN);
  if (!OUTPUT.test(name)) return c.json({ error: "unknown_output" }, 404);
  if (!(size > 0 && size <= MAX_OUTPUT_BYTES) || !c.req.raw.body) return c.json({ error: "bad_length" }, 411);
  await openStorage(c.env).objects.put("media", mediaPrefix(track, lease) + name, {
    size,
    contentType: c.req.header("Content-Type") ?? "application/octet-stream",
    stream: c.req.raw.body,
  });
  return c.json({});
});

gateway.post("/jobs/:track/report/heartbeat", async (c) => {
  const { progress, segments_ready } = Heartbeat.parse(await c.req.json());
  const { track, lease } = c.var.ticket;
  const held = await heartbeat(openDatabase(c.env), track, lease, {
    progress,
    segmentsReady: segments_ready,
  });
  return held ? c.json({}) : c.json({ error: "lease_lost" }, 409);
});

gateway.post("/jobs/:track/report/finished", async (c) => {
  const { duration_ms, family, ...media } = Finished.parse(await c.req.json());
  const { track, lease, attempt } = c.var.ticket;
  const prefix = mediaPrefix(track, lease);
  const settled = await finishJob(openDatabase(c.env), track, lease, {
    durationMs: duration_ms,
    family,
    prefix,
    media,
  });
  logLine("info", "job_finished", { track, attempt, settled });
  await offerNext(c.env);
  return settled ? c.json({}) : c.json({ error: "lease_lost" }, 409);
});

gateway.post("/jobs/:track/report/failed", async (c) => {
  const failure = Failed.parse(await c.req.json());
  const { track, lease, attempt } = c.var.ticket;
  const settled = await failJob(openDatabase(c.env), track, lease, failure);
  logLine("warn", "job_failed", {
    track,
    attempt,
    settled,
    reason: failure.reason,
    retryable: failure.retryable,
  });
  await offerNext(c.env);
  return settled ? c.json({}) : c.json({ error: "lease_lost" }, 409);
});

gateway.onError((error, c) => {
  const malformed = error instanceof z.ZodError || error instanceof SyntaxError;
  logLine("error", "gateway_error", { track: c.get("ticket")?.track, ...describeError(error) });
  return malformed ? c.json({ error: "malformed_report" }, 422) : c.json({ error: "unavailable" }, 503);
});

/** There is room now: whoever waits longest need not wait for the cron. */
async function offerNext(env: Env): Promise<void> {
  try {
    const [next] = await dispatchNextJob(openDatabase(env));
    if (next) await env.JOBS.send(next);
  } catch (error) {
    logLine("warn", "offer_next_failed", describeError(error));
  }
}
