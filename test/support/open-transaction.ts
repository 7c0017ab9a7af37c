import pg from "pg";
import { expect } from "vitest";
import { sql, stack } from "./stack.ts";

/** Works while a transaction holds the rows of a statement. It is rolled back unless the work commits it. Returns the work's result. */
export async function whileHeld<Result>(
  statement: string,
  values: unknown[],
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query(statement, values);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs a statement in a transaction, asks, and once the request waits for it runs `next` and commits. Returns the reply. */
export const askDuring = <Reply>(
  statement: string,
  values: unknown[],
  ask: () => Promise<Reply>,
  next?: [statement: string, values: unknown[]],
): Promise<Reply> =>
  whileHeld(statement, values, async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const waiting = "select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";
    const asked = ask();
    await expect.poll(() => sql(waiting, [rows[0]?.pid])).not.toEqual([]);
    // A wait for the request, which waits for this transaction, would be a deadlock. Its end would be repeated unseen.
    await client.query("set local lock_timeout = '500ms'");
    if (next) await client.query(...next);
    await client.query("commit");
    return await asked;
  });

/** Lists the backends that wait for `pid`, or for another that does. */
export const waitingFor = (pid: number | undefined) =>
  sql<{ pid: number }>(
    `with recursive waiting (pid) as (
       select $1::integer union
       select a.pid from pg_stat_activity a, waiting w where w.pid = any (pg_blocking_pids(a.pid)))
     select pid from waiting where pid <> $1`,
    [pid],
  );
