import { createMiddleware } from "hono/factory";
import { openDatabase } from "../../db/client.ts";
import { notePresence } from "../../db/queries/users.ts";
import type { AppEnv, Env } from "./env.ts";

/** Milliseconds between two notes of one session, and sessions that an isolate remembers having noted. */
const NOTED_FOR_MS = 60_000;
const MAX_NOTED = 10_000;

/** Milliseconds that sessions are gathered for: when everybody likes a track, each like is another session's. */
const GATHERED_FOR_MS = 1_000;

interface Gathering {
  sessions: number[];
  sinceMs: number;
}

const notedAt = new Map<number, number>();
let gathering: Gathering | undefined;

/** Notes behind the reply that a user's token was used, so that others see who is online. It fails nobody's request. */
export const presence = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const viewer = c.get("viewer");
  if (!viewer || viewer.userId === null || c.res.status === 401) return;
  const now = Date.now();
  if (now - (notedAt.get(viewer.sessionId) ?? 0) < NOTED_FOR_MS) return;
  if (notedAt.size >= MAX_NOTED) notedAt.clear();
  notedAt.set(viewer.sessionId, now);
  // One that has gathered for longer belongs to a request that was broken off.
  if (gathering && now - gathering.sinceMs < 2 * GATHERED_FOR_MS)
    return void gathering.sessions.push(viewer.sessionId);
  gathering = { sessions: [viewer.sessionId], sinceMs: now };
  c.executionCtx.waitUntil(noteLater(c.env, gathering).catch(() => {}));
});

/** By the request that began: a Worker's connections are of one request each. */
async function noteLater(env: Env, mine: Gathering): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, GATHERED_FOR_MS));
  if (gathering === mine) gathering = undefined;
  await notePresence(openDatabase(env), mine.sessions);
}
