import { spooledPlaysKey } from "../../../db/objects/keys.ts";
import { openStorage } from "../../../db/objects/open.ts";
import type { Play } from "../../../db/queries/plays.ts";
import type { Env } from "../../lib/http/env.ts";
import { describeError, logLine } from "../../lib/http/log.ts";

/** Milliseconds in which an isolate buffers plays that no queue accepts, to store them as one object. */
const GATHER_MS = 1_000;
/** Plays in memory. Further plays are dropped. */
const MAX_GATHERED = 20_000;

let gathered: Play[] = [];
let gatheringUntil = 0;

/**
 * Sends a play to a queue, or else to storage, but never to the database, whose load may be why the queues are full.
 * Each queue takes some 5,000 messages a second, and listeners are spread over them.
 */
export async function sinkPlay(env: Env, play: Play): Promise<void> {
  const queues = playQueues(env);
  const first = Buffer.from(play.mark, "base64").readUInt8(0) % queues.length;
  for (const queue of [...queues.slice(first), ...queues.slice(0, first)])
    if (await takes(queue, play)) return;
  await spool(env, play);
}

type PlayQueue = { send(play: Play): Promise<unknown> };

/** A self-hosted server has one queue that survives restarts, at `PLAYS_URL`. */
function playQueues(env: Env): PlayQueue[] {
  if (env.PLAYS_URL) return [queueAt(env.PLAYS_URL)];
  return [env.PLAYS, env.PLAYS_2, env.PLAYS_3, env.PLAYS_4].filter((queue) => queue !== undefined);
}

const queueAt = (url: string): PlayQueue => ({
  async send(play) {
    const reply = await fetch(url, { method: "POST", body: JSON.stringify(play) });
    await reply.body?.cancel();
    if (!reply.ok) throw new Error(`the queue of plays answered ${reply.status}`);
  },
});

async function takes(queue: PlayQueue, play: Play): Promise<boolean> {
  try {
    await queue.send(play);
    return true;
  } catch (error) {
    logLine("warn", "play_not_queued", describeError(error));
    return false;
  }
}

/** The first caller waits a second and stores all plays. If its request is aborted, the next one does. */
async function spool(env: Env, play: Play): Promise<void> {
  if (gathered.length >= MAX_GATHERED) return logLine("error", "play_shed");
  gathered.push(play);
  if (Date.now() < gatheringUntil) return;
  gatheringUntil = Date.now() + 2 * GATHER_MS;
  await new Promise((wake) => setTimeout(wake, GATHER_MS));
  const plays = gathered;
  gathered = [];
  gatheringUntil = 0;
  try {
    await store(env, plays);
  } catch (error) {
    gathered.push(...plays);
    throw error;
  }
}

async function store(env: Env, plays: Play[]): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(plays));
  await openStorage(env).objects.put("uploads", spooledPlaysKey(), {
    size: bytes.length,
    contentType: "application/json",
    stream: new Blob([bytes]).stream(),
  });
}
