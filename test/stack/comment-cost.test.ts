import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startMigratedDatabase } from "./migrated-database.ts";

/** A user and its track amid the others: rows in an order that indexes share would be cheap to read. */
const BUSY = 2_000;
/** All of that author on that track. */
const OLD = 8_000;
/** Newer ones on so many tracks, of as many authors. A plan for any track then expects five. */
const NEWER = 12_000;
const OTHERS = 4_000;
/** Rows for a page of 50: each comment with its author, track and counters. */
const PAGE = 1_000;

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await startMigratedDatabase();
  ({ client } = database);
  // Their counts and search rows would take most of the time.
  for (const table of ["users", "tracks", "comments"])
    await client.query(`alter table ${table} disable trigger user`);
  await client.query(
    `insert into users (id, username, permalink) select n, 'u' || n, 'u' || n from generate_series(1, ${OTHERS}) n;
     insert into tracks (id, user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size) select n, n, '', n, n::text::bytea, '', n, '', 1 from generate_series(1, ${OTHERS}) n`,
  );
  await client.query(
    `insert into comments (id, track_id, user_id, body, sanitizer_version, timestamp_ms)
     select n, o.one, o.one, repeat('-', 200), 1, n
     from generate_series(1, $1::int + $2) n, lateral (select case when n <= $1 then ${BUSY} else n % ${OTHERS} + 1 end) o (one)`,
    [OLD, NEWER],
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
  `list_track_comments(-1, 'site', null, ${BUSY}, null, 9007199254740991, 0, 51)`,
  `list_user_comments(-1, 'site', null, ${BUSY}, 9007199254740991, 0, 51)`,
  `page_comments(${BUSY}, null, null)`,
  `site_comments(${BUSY})`,
])("a page of old comments reads neither the newer ones elsewhere nor all of its own: %s", async (list) => {
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
