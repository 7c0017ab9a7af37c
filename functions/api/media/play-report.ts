import type { Context } from "hono";
import type { Play } from "../../../db/queries/plays.ts";
import { addressOf } from "../../lib/http/address.ts";
import { knownCountryOf } from "../../lib/http/country.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { describeError, logLine } from "../../lib/http/log.ts";
import { referrerOf } from "../../lib/http/referrer.ts";
import { listenerCode, playMark } from "./listener.ts";
import { sinkPlay } from "./play-sink.ts";
import type { MediaGrant } from "./token.ts";

/**
 * Milliseconds in which an isolate reports a play once, and its limit of plays. Players request a track's start several
 * times at once. The database decides which plays count, so the time may be short.
 */
const REPORTED_FOR_MS = 10_000;
const MAX_REPORTED = 10_000;

const reportedAt = new Map<string, number>();

/**
 * Reports a play when the first bytes of a stream are sent. After the reply it goes to the queue, which batches the
 * statements.
 */
export function reportPlay(c: Context<AppEnv>, grant: MediaGrant, reply: Response): void {
  if (c.req.raw.method !== "GET" || !holdsTheStart(reply)) return;
  const by = { userId: grant.listenerId, address: addressOf(c.req) };
  sendPlay(c, {
    track: grant.trackId,
    mark: Buffer.from(playMark(c.env, grant.trackId, by)).toString("base64"),
    user: grant.listenerId,
    at: Date.now(),
    country: knownCountryOf(c.req),
    app: grant.from?.app,
    referrer: grant.from?.referrer ?? referrerOf(c.req, c.env),
    listener: listenerCode(c.env, by),
  });
}

/** Sends a play to the queue after the reply, unless this isolate has just sent one of the same mark. */
export function sendPlay(c: Context<AppEnv>, play: Play): void {
  if (play.at - (reportedAt.get(play.mark) ?? 0) < REPORTED_FOR_MS) return;
  if (reportedAt.size >= MAX_REPORTED) reportedAt.clear();
  reportedAt.set(play.mark, play.at);
  c.executionCtx.waitUntil(queuePlay(c, play));
}

const holdsTheStart = ({ status, headers }: Response) =>
  status === 200 || (status === 206 && headers.get("Content-Range")?.startsWith("bytes 0-") === true);

async function queuePlay(c: Context<AppEnv>, play: Play): Promise<void> {
  await sinkPlay(c.env, play).catch((error: unknown) => {
    reportedAt.delete(play.mark);
    logLine("error", "play_not_counted", { request_id: c.var.requestId, ...describeError(error) });
  });
}
