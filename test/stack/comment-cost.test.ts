import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../db/client.ts";
import type { Statement } from "../../db/deadline.ts";
import { listTrackComments, listUserComments } from "../../db/queries/comments.ts";
import { showPage } from "../../db/queries/permalink-pages.ts";
import { startMigratedDatabase } from "./migrated-database.ts";
import { statementsOf } from "./query-statements.support.ts";

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
});

afterAll(() => database?.stop());

async function rowsRead(): Promise<number> {
  const { rows } = await client.query<{ read: number }>(
    `select (seq_tup_read + idx_tup_fetch)::float8 as read from pg_stat_xact_user_tables where relname = 'comments'`,
  );
  return rows[0]?.read ?? 0;
}

const visitor = { sessionId: -1, clientId: "site", userId: null };
const ANYWHERE = { secretHash: undefined, country: undefined };
const page = { before: Number.MAX_SAFE_INTEGER, offset: 0, limit: 51 };

const LISTS: Record<string, (db: Database) => Promise<unknown>> = {
  "a track's": (db) => listTrackComments(db, visitor, BUSY, undefined, page),
  "a user's": (db) => listUserComments(db, visitor, BUSY, page),
  "a track's on the site": (db) => showPage(db, visitor, { kind: "track", id: BUSY }, ANYWHERE, {}),
};

async function expectPage(statements: Statement[]) {
  // A transaction keeps the counts stable.
  await client.query("begin");
  try {
    const before = await rowsRead();
    let found = "";
    for (const { text, parameters } of statements)
      found += JSON.stringify((await client.query(text, [...parameters])).rows);
    expect(found).toContain(`${OLD}`);
    expect((await rowsRead()) - before).toBeLessThan(PAGE);
  } finally {
    await client.query("rollback");
  }
}

test.for(Object.entries(LISTS))(
  "a page of old comments reads neither the newer ones elsewhere nor all of its own: %s",
  async ([, ask]) => {
    const statements = await statementsOf(ask);
    // PostgreSQL keeps one plan for all after the first five.
    for (let time = 1; time <= 7; time++) await expectPage(statements);
  },
);
