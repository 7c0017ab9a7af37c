import type { Context } from "hono";
import { openDatabase } from "../../db/client.ts";
import { countPlays, type Play } from "../../db/queries/plays.ts";
import { addressOf } from "../http/address.ts";
import type { AppEnv, Env } from "../http/env.ts";
import { describeError, logLine } from "../http/log.ts";
import { playMark } from "./listener.ts";
import type { MediaGrant } from "./token.ts";

/**
 * Milliseconds that an isolate remembers having told of a play, and how many: players ask for the start of a track several
 * times at once. Short, for whether the play counted is the database's word, and the next one may.
 */
const TOLD_FOR_MS = 10_000;
const MAX_TOLD = 10_000;

const toldAt = new Map<string, number>();

/**
 * Counts a play where the first bytes of a stream go out: behind the reply, and by the queue, which spares the database a
 * statement for each.
 */
export function notePlay(c: Context<AppEnv>, grant: MediaGrant, reply: Response): void {
  if (c.req.raw.method !== "GET" || !holdsTheStart(reply)) return;
  const by = { userId: grant.listenerId, app: grant.app ?? "", address: addressOf(c.req) };
  const mark = Buffer.from(playMark(c.env, grant.trackId, by)).toString("base64");
  const now = Date.now();
  if (now - (toldAt.get(mark) ?? 0) < TOLD_FOR_MS) return;
  if (toldAt.size >= MAX_TOLD) toldAt.clear();
  toldAt.set(mark, now);
  c.executionCtx.waitUntil(tell(c, { track: grant.trackId, mark, user: grant.listenerId, at: now }));
}

const holdsTheStart = ({ status, headers }: Response) =>
  status === 200 || (status === 206 && headers.get("Content-Range")?.startsWith("bytes 0-") === true);

async function tell(c: Context<AppEnv>, play: Play): Promise<void> {
  const words = { request_id: c.var.requestId };
  try {
    await c.env.PLAYS.send(play);
  } catch (error) {
    logLine("warn", "play_not_queued", { ...words, ...describeError(error) });
    await countNow(c.env, play).catch((failed) => {
      toldAt.delete(play.mark);
      logLine("error", "play_not_counted", { ...words, ...describeError(failed) });
    });
  }
}

/** A queue that did take it after all counts it no second time. */
const countNow = (env: Env, play: Play) => countPlays(openDatabase(env), [play]);
