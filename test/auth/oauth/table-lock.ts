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

/** The service's statements that a lock blocks, on a stack that serves only this test. */
export const waiting = (auth: AuthServer, table = "") =>
  auth.sql<{ pid: number }>(
    `select pid from pg_stat_activity
     where usename = 'soundpost_app' and wait_event_type = 'Lock' and strpos(query, $1) > 0`,
    [table],
  );

/** Ends the backend of a statement that a lock blocks. Resolves when it is gone. */
export const endWaiter = async (auth: AuthServer, table?: string) =>
  auth.sql("select pg_terminate_backend($1, 30000)", [await someoneWaits(auth, table)]);

export async function someoneWaits(auth: AuthServer, table?: string): Promise<number> {
  for (;;) {
    const [found] = await waiting(auth, table);
    if (found) return found.pid;
    await sleep(20);
  }
}
