import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { type Database, openDatabase } from "../../db/client.ts";
import { mediaPrefix } from "../../db/objects/keys.ts";
import { openStorage } from "../../db/objects/open.ts";
import { ObjectStoreUnavailable } from "../../db/objects/port.ts";
import { admitWrite, failJob, findOriginal, finishJob, heartbeat } from "../../db/queries/jobs.ts";
import { withTrace } from "../../db/trace.ts";
import { segmentCount } from "../../functions/api/media/playlists.ts";
import { chaptersOfFile } from "../../functions/api/podcasts/file-chapters.ts";
import { drainRefused } from "../../functions/lib/http/body/read.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { parseRange } from "../../functions/lib/http/files/range.ts";
import { describeError, logLine } from "../../functions/lib/http/log.ts";
import { queueDeliveries } from "../../functions/lib/http/queue-messages.ts";
import { readTrace, traceFields, traceparentOf } from "../../functions/lib/http/trace.ts";
import { MOST_PICTURES, pictureVersion, storeChapterPicture } from "./chapter-pictures.ts";
import { findOutput, isWithinSource } from "./outputs.ts";
import { handOver, sendDueJobs, sendRetries } from "./pool.ts";
import { Failed, Finished, Heartbeat } from "./reports.ts";
import { readTicket, type Ticket } from "./ticket.ts";

/**
 * Seconds in which a transcoder usually ends a job that lost its lease, as when its track is deleted. Its verdict
 * does not count, so a message offers the place to the next job. A message that comes too early finds the transcoder
 * busy and is repeated.
 */
const PLACE_FREE_S = 2;

/** The reason of attempts that found storage, or the transcoder's disk, full. */
const NO_SPACE = "no_space";

interface GatewayEnv {
  Bindings: Env;
  Variables: {
    ticket: Ticket;
    signedTicket: string;
    db: Database;
    trace: ReturnType<typeof traceFields> | undefined;
  };
}

/**
 * Gives a transcoder its source, outputs and reports. Reached through the container's outbound handlers,
 * locally by an unpublished port. The ticket names job and attempt.
 */
export const gateway = new Hono<GatewayEnv>();

gateway.use(
  "/jobs/:track/*",
  createMiddleware<GatewayEnv>(async (c, next) => {
    const [, given] = /^Bearer (\S+)$/.exec(c.req.header("Authorization") ?? "") ?? [];
    const ticket = given ? readTicket(c.env, given) : undefined;
    if (!given || !ticket || String(ticket.track) !== c.req.param("track"))
      return c.json({ error: "bad_ticket" }, 401);
    c.set("ticket", ticket);
    c.set("signedTicket", given);
    // An encode's end is an event, which webhooks get at once.
    let sending: Promise<void> | undefined;
    const onDeliveries = (ids: number[]) => {
      sending = queueDeliveries(c.env, ids);
    };
    c.set("db", openDatabase(c.env, { onDeliveries }));
    const trace = readTrace(c.req.header("traceparent"));
    c.set("trace", trace && traceFields(trace));
    await (trace ? withTrace(traceparentOf(trace), next) : next());
    await sending;
    if (c.res.status >= 400) await drainRefused(c);
  }),
);

gateway.get("/jobs/:track/source", async (c) => {
  const { track, lease } = c.var.ticket;
  const { db } = c.var;
  const original = await findOriginal(db, track, lease);
  if (!original) return refuseLost(c, 410);
  const range = parseRange(c.req.header("Range"), original.size);
  if (!range) return c.body(null, 416, { "Content-Range": `bytes */${original.size}` });
  const { start, end } = range === "whole" ? { start: 0, end: original.size - 1 } : range;
  // The transcoder asks again when no byte comes.
  const found = await openStorage(c.env).objects.relay(
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

gateway.put("/jobs/:track/outputs/chapters/:number{[0-9]{1,3}}", async (c) => {
  const number = Number(c.req.param("number"));
  if (number >= MOST_PICTURES) return c.json({ error: "unknown_output" }, 404);
  const { db, ticket, signedTicket } = c.var;
  const version = pictureVersion(signedTicket, number);
  const outcome = await storeChapterPicture(db, c.env, ticket, version, c.req.raw);
  if (outcome === "lease_lost") return refuseLost(c, 409);
  return outcome === "stored" ? c.json({}) : c.json({ error: outcome }, 422);
});

gateway.put("/jobs/:track/outputs/:name{.+}", async (c) => {
  const { track, lease } = c.var.ticket;
  const name = c.req.param("name");
  const output = findOutput(name);
  if (!output) return c.json({ error: "unknown_output" }, 404);
  const size = Number(c.req.header("Content-Length") ?? Number.NaN);
  const stream = c.req.raw.body;
  if (!(size > 0) || !stream) return c.json({ error: "bad_length" }, 411);
  const prefix = mediaPrefix(track, lease);
  const { db } = c.var;
  const sourceBytes = await admitWrite(db, track, lease, prefix);
  if (sourceBytes === null) return refuseLost(c, 409);
  if (size > output.maxBytes || !isWithinSource(output, sourceBytes))
    return c.json({ error: "beyond_source" }, 413);
  const { objects } = openStorage(c.env);
  const { contentType } = output;
  if (await objects.putNew("media", prefix + name, { size, contentType, stream })) return c.json({});
  // A retry after a lost reply succeeds if the size matches. The first write owns the name.
  const stored = await objects.head("media", prefix + name);
  return stored?.size === size ? c.json({}) : c.json({ error: "already_written" }, 412);
});

gateway.post("/jobs/:track/report/heartbeat", async (c) => {
  const { progress, segments_ready, sample_rate } = Heartbeat.parse(await c.req.json());
  const { track, lease } = c.var.ticket;
  const { db } = c.var;
  const renewal = await heartbeat(db, track, lease, {
    progress,
    segmentsReady: segments_ready,
    sampleRate: sample_rate,
  });
  return renewal ? c.json({}) : refuseLost(c, 409);
});

gateway.post("/jobs/:track/report/finished", async (c) => {
  const { duration_ms, family, chapters, next, ...media } = Finished.parse(await c.req.json());
  const { track, lease, attempt } = c.var.ticket;
  const { db } = c.var;
  const prefix = mediaPrefix(track, lease);
  const settled = await finishJob(db, track, lease, {
    durationMs: duration_ms,
    family,
    prefix,
    media,
    segments: segmentCount(media.frames),
    chapters: chaptersOfFile(chapters, duration_ms, (number) => pictureVersion(c.var.signedTicket, number)),
  });
  logLine("info", "job_finished", { track, attempt, settled, ...c.var.trace });
  if (!settled) return refuseLost(c, 409);
  return c.json({ next: next ? await handOver(db, c.env, c.var.ticket) : undefined });
});

gateway.post("/jobs/:track/report/failed", async (c) => {
  const { next, ...failure } = Failed.parse(await c.req.json());
  const { track, lease, attempt } = c.var.ticket;
  const { db } = c.var;
  const settled = await failJob(db, track, lease, failure);
  logLine("warn", "job_failed", {
    track,
    attempt,
    settled,
    reason: failure.reason,
    retryable: failure.retryable,
    ...c.var.trace,
  });
  if (!settled) return refuseLost(c, 409);
  if (failure.retryable && failure.reason === NO_SPACE) {
    logLine("error", "storage_full", { track, advice: "Make room. Jobs wait, and the cron tries them." });
    // The next job would fail, too, so each slot tries one whenever the cron runs.
    return c.json({});
  }
  if (failure.retryable) await sendRetries(db, c.env, [track]);
  return c.json({ next: next ? await handOver(db, c.env, c.var.ticket) : undefined });
});

/** Tells a transcoder that its lease is lost, and sends waiting jobs for the free place. */
async function refuseLost(c: Context<GatewayEnv>, status: 409 | 410): Promise<Response> {
  await sendDueJobs(c.var.db, c.env, PLACE_FREE_S);
  return c.json({ error: "lease_lost" }, status);
}

gateway.onError((error, c) => {
  const malformed = error instanceof z.ZodError || error instanceof SyntaxError;
  logLine("error", "gateway_error", { track: c.get("ticket")?.track, ...describeError(error) });
  // The transcoder ends the attempt at once, with this reason.
  if (error instanceof ObjectStoreUnavailable && error.isFull) return c.json({ error: NO_SPACE }, 507);
  return malformed ? c.json({ error: "malformed_report" }, 422) : c.json({ error: "unavailable" }, 503);
});
