import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startMigratedDatabase } from "./migrated-database.ts";

const USERS = 10_000;
const ROLLED_UP = 100;

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await startMigratedDatabase();
  ({ client } = database);
  await client.query(
    "insert into users (username, permalink) select 'u' || n, 'u' || n from generate_series(1, $1) n",
    [USERS],
  );
  // Between two bursts a sweep and a vacuum leave pages with hardly a row.
  await client.query(`alter table counter_deltas set (autovacuum_enabled = off);
    alter table counter_deltas disable trigger user; ${BURST};
    delete from counter_deltas where id < (select max(id) from counter_deltas);
    alter table counter_deltas enable trigger user`);
  await client.query("vacuum analyze users, counter_deltas");
}, 300_000);

afterAll(() => database?.stop());

const BURST = `insert into counter_deltas (kind, subject_id, counter, delta)
  select 'user', id, 'followers_count', 1 from users`;

/** Rows of pending deltas that a statement reads. */
async function read(statement: string): Promise<number> {
  const read = `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
    where relname = 'counter_deltas'`;
  await client.query("begin");
  const before = await client.query<{ rows: number }>(read);
  await client.query(statement);
  const after = await client.query<{ rows: number }>(read);
  await client.query("commit");
  return (after.rows[0]?.rows ?? 0) - (before.rows[0]?.rows ?? 0);
}

test("a burst of deltas reads few of them, although the table was empty when it was last analyzed", async () => {
  expect(await read(BURST)).toBeLessThan(USERS);
});

test("a batch of the roll-up reads few others", async () => {
  expect(await read(`select roll_up_counters(${ROLLED_UP})`)).toBeLessThan(5 * ROLLED_UP);
});
