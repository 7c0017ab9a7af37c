import type { Context } from "hono";
import { openDatabase } from "../../db/client.ts";
import { notePresence } from "../../db/queries/users.ts";
import type { AppEnv } from "./env.ts";

/** Milliseconds between two notes of one session, and sessions that an isolate remembers having noted. */
const NOTED_FOR_MS = 60_000;
const MAX_NOTED = 10_000;

const notedAt = new Map<number, number>();

/** Notes behind the reply that a user's token was used, so that others see who is online. It fails nobody's request. */
export function notePresent(c: Context<AppEnv>): void {
  const viewer = c.get("viewer");
  if (!viewer || viewer.userId === null || c.res.status === 401) return;
  const now = Date.now();
  if (now - (notedAt.get(viewer.sessionId) ?? 0) < NOTED_FOR_MS) return;
  if (notedAt.size >= MAX_NOTED) notedAt.clear();
  notedAt.set(viewer.sessionId, now);
  c.executionCtx.waitUntil(notePresence(openDatabase(c.env), viewer.sessionId).catch(() => {}));
}
