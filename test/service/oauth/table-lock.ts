import { setTimeout as sleep } from "node:timers/promises";
import type { AuthServer } from "../../support/oauth.ts";

/** Holds the tokens' table, as a migration would, while something else is done. */
export async function locked<Result>(auth: AuthServer, work: () => Promise<Result>): Promise<Result> {
  const client = await auth.connect();
  await client.query("begin; lock table refresh_tokens in access exclusive mode");
  try {
    return await work();
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Refreshes that cannot get on. */
export const waiting = (auth: AuthServer) =>
  auth.sql<{ pid: number }>(
    "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%refresh_session_v1%'",
  );

export async function someoneWaits(auth: AuthServer): Promise<number> {
  for (;;) {
    const [found] = await waiting(auth);
    if (found) return found.pid;
    await sleep(20);
  }
}
