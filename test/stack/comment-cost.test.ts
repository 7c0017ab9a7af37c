import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startMigratedDatabase } from "./migrated-database.ts";

const COMMENTS = 20_000;
/** All of one author on one track, and older than the others. */
const OLD = 8_000;
/** Rows for a page of 50: each comment with its author, track and counters. */
const PAGE = 1_000;

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await startMigratedDatabase();
  ({ client } = database);
  await client.query(
    `insert into users (id, username, permalink) select n, 'u' || n, 'u' || n from generate_series(1, 500) n;
     insert into tracks (id, user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size) select n, n, '', n, n::text::bytea, '', n, '', 1 from generate_series(1, 500) n;
     alter table comments disable trigger user`,
  );
  await client.query(
    `insert into comments (id, track_id, user_id, body, sanitizer_version, timestamp_ms)
     select n, o.one, o.one, '', 1, n
     from generate_series(1, $1::int) n, lateral (select case when n <= $2 then 1 else n % 499 + 2 end) o (one)`,
    [COMMENTS, OLD],
  );
  await client.query("vacuum analyze");
}, 120_000);

afterAll(() => database?.stop());

async function rowsRead(): Promise<number> {
  const { rows } = await client.query<{ read: number }>(
    `select (seq_tup_read + idx_tup_fetch)::float8 as read from pg_stat_xact_user_tables where relname = 'comments'`,
  );
  return rows[0]?.read ?? 0;
}

test.for([
  "list_track_comments(-1, 'site', null, 1, null, 9007199254740991, 0, 51)",
  "list_user_comments(-1, 'site', null, 1, 9007199254740991, 0, 51)",
  "page_comments(1, null, null)",
  "site_comments(1)",
])("a page of old comments reads none of the newer ones elsewhere: %s", async (list) => {
  // A transaction keeps the counts stable.
  await client.query("begin");
  try {
    const before = await rowsRead();
    const { rows } = await client.query<{ found: string }>(`select ${list}::text as found`);
    expect(rows[0]?.found).toContain(`${OLD}`);
    expect((await rowsRead()) - before).toBeLessThan(PAGE);
  } finally {
    await client.query("rollback");
  }
});
