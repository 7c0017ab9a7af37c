import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { activitiesOf } from "../../db/queries/activities.ts";
import { shownTo, showTracks } from "../../db/queries/show-tracks.ts";
import { startMigratedDatabase } from "./migrated-database.ts";
import { TYPES } from "./query-statements.support.ts";

/** Nearly all users and things have one row of each kind. */
const USUAL = 3_000;
/** One user and one thing have many. */
const MANY = 300;

/** By table: the column beside the user's. */
const TABLES = {
  favorites: "track_id",
  reposts: "track_id",
  track_shares: "track_id",
  playlist_favorites: "playlist_id",
  playlist_reposts: "playlist_id",
  followings: "followee_id",
};

const READER = { sessionId: 1, clientId: "app", userId: 1 };

const SIGN_IN = `insert into apps (id, client_id, secret_hash, name, permalink, redirect_uris)
    values (1, 'app', '', 'App', 'app', '{}');
  insert into sessions (id, app_id, user_id, expires_at) values (1, 1, 1, 'infinity')`;

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await startMigratedDatabase();
  ({ client } = database);
  const numbers = `generate_series(1, ${USUAL}) n`;
  // Their counts and search rows would take most of the time.
  for (const table of ["users", "tracks", "playlists", ...Object.keys(TABLES)])
    await client.query(`alter table ${table} disable trigger user`);
  await client.query(`
    insert into users (id, username, permalink) select n, 'u' || n, 'u' || n from ${numbers};
    insert into tracks (id, user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
      original_content_size) select n, n, '', n, n::text::bytea, '', n, '', 1 from ${numbers};
    insert into playlists (id, user_id, title, permalink, secret_hash, secret_sealed)
      select n, n, '', n, n::text::bytea, '' from ${numbers}`);
  for (const [table, thing] of Object.entries(TABLES))
    await client.query(`
      insert into ${table} (user_id, ${thing}) select n, n % ${USUAL} + 1 from ${numbers};
      insert into ${table} (user_id, ${thing}) select 1, n from generate_series(3, ${MANY}) n;
      insert into ${table} (user_id, ${thing}) select n, 1 from generate_series(3, ${MANY}) n`);
  await client.query("vacuum analyze");
  await client.query("set plan_cache_mode = force_generic_plan");
}, 300_000);

afterAll(() => database?.stop());

test.for(Object.entries(TABLES))(
  "a look for one row reads none of the many others of its user or its thing: %s, %s",
  async ([table, thing]) => {
    await client.query(
      `prepare ${table} (bigint, bigint) as select from ${table} where user_id = $1 and ${thing} = $2`,
    );
    for (const [user, other] of [
      [1, USUAL - 1],
      [USUAL - 1, 1],
    ]) {
      const { rows } = await client.query<{ "QUERY PLAN": string }>(
        `explain (analyze, costs off, timing off) execute ${table} (${user}, ${other})`,
      );
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(Number(/Rows Removed by Filter: (\d+)/.exec(plan)?.[1] ?? 0), plan).toBe(0);
    }
  },
);

test("activities of users whom one does not follow are passed over before their tracks are read", async () => {
  const read = `select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
    where relname in ('tracks', 'users')`;
  await client.query("begin");
  try {
    await client.query(`delete from followings where user_id = 1;
      insert into activities (id, user_id, about, actor_id, shared_track_id)
      select n, 1, 'shared', n, n from generate_series(3, ${MANY}) n`);
    await client.query(SIGN_IN);
    const { statement } = activitiesOf(READER, {
      kind: "affiliated",
      access: undefined,
      country: "DE",
      page: { limit: 50 },
    });
    const { text, parameters } = statement();
    const before = await client.query<{ rows: number }>(read);
    const { rows } = await client.query({ text, values: [...parameters], rowMode: "array" });
    expect(rows.map(([, , id]) => id)).toEqual([null]);
    const after = await client.query<{ rows: number }>(read);
    expect((after.rows[0]?.rows ?? 0) - (before.rows[0]?.rows ?? 0)).toBeLessThan(10);
  } finally {
    await client.query("rollback");
  }
});

test("a page of tracks looks for the reader's favorites among them, and reads no other", async () => {
  const read =
    "select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'favorites'";
  await client.query("begin");
  try {
    await client.query(SIGN_IN);
    const facts = { secretHash: undefined, country: "DE" };
    const { statement, toRows } = showTracks.with({ ...shownTo(READER, facts), ids: [5, 2000] });
    // Indexes alone do not answer for rows that have just changed, so each that is read is counted.
    await client.query("update favorites set id = id where user_id = 1");
    const before = await client.query<{ rows: number }>(read);
    const { text, parameters } = statement();
    const { rows } = await client.query({ text, values: [...parameters], rowMode: "array", types: TYPES });
    expect(toRows(rows).map(({ id, user_favorite }) => [id, user_favorite])).toEqual([
      [5, true],
      [2000, false],
    ]);
    const after = await client.query<{ rows: number }>(read);
    expect((after.rows[0]?.rows ?? 0) - (before.rows[0]?.rows ?? 0)).toBeLessThan(10);
  } finally {
    await client.query("rollback");
  }
});
