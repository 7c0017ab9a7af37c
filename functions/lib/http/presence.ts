import type { Context } from "hono";
import { openDatabase } from "../../../db/client.ts";
import { notePresence } from "../../../db/queries/users.ts";
import type { AppEnv, Env } from "./env.ts";

/** Milliseconds between two writes for one session, and the number of sessions remembered. */
const NOTED_FOR_MS = 60_000;
const MAX_NOTED = 10_000;

/** Milliseconds for batching sessions into one statement. A popular track brings likes from many sessions. */
const GATHERED_FOR_MS = 1_000;

interface Gathering {
  sessions: number[];
  sinceMs: number;
}

const notedAt = new Map<number, number>();
let gathering: Gathering | undefined;

/** Records after the reply that the user is online. A failure does not affect the request. */
export function notePresent(c: Context<AppEnv>): void {
  const viewer = c.get("viewer");
  if (!viewer || viewer.userId === null || c.res.status === 401) return;
  const now = Date.now();
  if (now - (notedAt.get(viewer.sessionId) ?? 0) < NOTED_FOR_MS) return;
  if (notedAt.size >= MAX_NOTED) notedAt.clear();
  notedAt.set(viewer.sessionId, now);
  // An older batch belongs to a request that was aborted.
  if (gathering && now - gathering.sinceMs < 2 * GATHERED_FOR_MS)
    return void gathering.sessions.push(viewer.sessionId);
  gathering = { sessions: [viewer.sessionId], sinceMs: now };
  c.executionCtx.waitUntil(noteLater(c.env, gathering).catch(() => {}));
}

/** The first request writes the batch: a Worker's connections belong to one request each. */
async function noteLater(env: Env, mine: Gathering): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, GATHERED_FOR_MS));
  if (gathering === mine) gathering = undefined;
  await notePresence(openDatabase(env), mine.sessions);
}
