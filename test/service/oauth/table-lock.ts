import { setTimeout as sleep } from "node:timers/promises";
import type { AuthServer } from "../../support/oauth.ts";

/** Locks a table during `work`, like a migration. By default the table of tokens. */
export async function locked<Result>(
  auth: AuthServer,
  work: () => Promise<Result>,
  table = "refresh_tokens",
): Promise<Result> {
  const client = await auth.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  try {
    return await work();
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Statements blocked by a lock. By default refreshes. */
export const waiting = (auth: AuthServer, name = "refresh_session") =>
  auth.sql<{ pid: number }>(
    `select pid from pg_stat_activity
     where wait_event_type = 'Lock' and strpos(query, $1) > 0 and pid <> pg_backend_pid()`,
    [name],
  );

export async function someoneWaits(auth: AuthServer, name?: string): Promise<number> {
  for (;;) {
    const [found] = await waiting(auth, name);
    if (found) return found.pid;
    await sleep(20);
  }
}
