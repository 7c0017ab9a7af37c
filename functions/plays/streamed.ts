import type { Context } from "hono";
import type { Play } from "../../db/queries/plays.ts";
import { addressOf } from "../http/address.ts";
import type { AppEnv } from "../http/env.ts";
import { describeError, logLine } from "../http/log.ts";
import type { MediaGrant } from "../media/token.ts";
import { playMark } from "./listener.ts";

/**
 * Milliseconds that an isolate remembers having told of a play, and how many: players ask for the start of a track several
 * times at once. Short, for whether the play counted is the database's word, and the next one may.
 */
const TOLD_FOR_MS = 10_000;
const MAX_TOLD = 10_000;

const toldAt = new Map<string, number>();

/**
 * Counts a play where the first bytes of a stream go out. Behind the reply, without the database; what the queue does not
 * take is a play that is not counted, and nothing else.
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
  try {
    await c.env.PLAYS.send(play);
  } catch (error) {
    toldAt.delete(play.mark);
    logLine("warn", "play_not_queued", { request_id: c.var.requestId, ...describeError(error) });
  }
}
