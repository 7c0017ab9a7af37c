import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../db/client.ts";
import type { Statement } from "../../db/deadline.ts";
import type { TrackPage } from "../../db/queries/choose-tracks.ts";
import { findMe } from "../../db/queries/people.ts";
import { listPlaylists } from "../../db/queries/playlists.ts";
import type { TrackFilter } from "../../db/queries/track-filters.ts";
import type { Reading } from "../../db/stored-select.ts";
import { SEEDED, seedTracks } from "../bench/seed.ts";
import { startMigratedDatabase } from "./migrated-database.ts";
import { statementsOf, TYPES } from "./query-statements.support.ts";
import { listStatement, relatedStatement } from "./track-lists.support.ts";

const TRACKS = 20_000;
/** Rows for a page of 50: each track with its owner, its search row and rows examined on the way. */
const PAGE = 1_000;
/** Matches that are looked up at most before they count as common. */
const LOOKED_UP = 4_000;

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await startMigratedDatabase();
  ({ client } = database);
  await seedTracks(database.databaseUrl, TRACKS, () => {});
  await client.query(
    `insert into apps (id, client_id, secret_hash, owner_id, name, permalink, redirect_uris) values (1, 'cost', '', 1, '', 'cost', '{}')`,
  );
  await client.query("insert into sessions (id, app_id, user_id, expires_at) values (1, 1, 1, 'infinity')");
}, 300_000);

afterAll(() => database?.stop());

/** Rows of large tables that this connection read, and its sequential scans. */
async function readings(): Promise<{ read: number; scans: number }> {
  const { rows } = await client.query<{ read: number; scans: number }>(
    `select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::float8 as read, coalesce(sum(seq_scan), 0)::float8 as scans
     from pg_stat_xact_user_tables where relname ~ '^(tracks|users|track_documents)$'`,
  );
  return { read: 0, scans: 0, ...rows[0] };
}

/** Rows that a list reads, as PostgreSQL counts them, including called functions. */
const costOf = (filter: TrackFilter, page: Partial<TrackPage> = {}) =>
  costOfStatement(listStatement(filter, page), page.limit);

async function costOfStatement({ text, parameters }: Statement, limit = 50) {
  // A transaction keeps the counts stable. Between transactions they may be flushed at any time.
  await client.query("begin");
  try {
    const before = await readings();
    const { rows } = await client.query({ text, values: [...parameters], rowMode: "array" });
    const after = await readings();
    // A page is read with the first track of the next.
    const found = Math.min(rows.length, limit);
    return { found, read: after.read - before.read, scans: after.scans - before.scans };
  } finally {
    await client.query("rollback");
  }
}

const words = (...list: string[]) => ({ words: list, phrases: [] });

const RARE: Record<string, TrackFilter> = {
  "a genre": { genres: [SEEDED.rareGenre] },
  "a tag that nothing has": { tags: ["nothing"] },
  "a license": { licenses: ["cc-by-nc-sa"] },
  "a type": { types: ["podcast"] },
  bpm: { bpm_from: 179.9 },
  duration: { duration_from: 599_900 },
  "what is blocked": { access: ["blocked"] },
  "what is a preview": { access: ["preview"] },
  "one's private tracks": { sharing: "private" },
  "a word": words(SEEDED.rare),
  "a word that nothing has": words("zzzzzz"),
  "two words, one of them rare": words(SEEDED.common, SEEDED.rare),
  "two Japanese characters": words(SEEDED.japanese.rare),
  "Japanese and Latin, one of them rare": words(SEEDED.japanese.rare, SEEDED.common),
  "a phrase": { words: [], phrases: [`${SEEDED.common} ${SEEDED.rare}`] },
  "a genre and a bpm": { genres: [SEEDED.genre], bpm_from: 150, bpm_to: 150.1 },
  "a user": { owner: 7 },
  "a user's genre": { owner: 7, genres: [SEEDED.genre] },
};

test.for(Object.entries(RARE))("an index finds rare matches: %s", async ([, filter]) => {
  const { read, scans } = await costOf(filter);
  expect(scans).toBe(0);
  expect(read).toBeLessThan(PAGE);
});

test("users who see themselves read their tracks once, for the quota", async () => {
  const statements = await statementsOf((db) => findMe(db, { sessionId: 1, clientId: "cost", userId: 1 }));
  let read = 0;
  for (const statement of statements) {
    const cost = await costOfStatement(statement);
    expect(cost.scans).toBe(0);
    read += cost.read;
  }
  // Each has ten tracks.
  expect(read).toBeLessThan(20);
});

const COMMON: Record<string, TrackFilter> = {
  everything: {},
  "what is public": { sharing: "public" },
  "a genre": { genres: [SEEDED.genre] },
  licenses: { licenses: ["all-rights-reserved", "cc-by"] },
  types: { types: ["original"] },
  bpm: { bpm_from: 90 },
  duration: { duration_from: 60_000 },
  "what is playable": { access: ["playable"] },
};

test.for(Object.entries(COMMON))(
  "common matches cost a few thousand rows at most, the thousandth as much as the first: %s (X83)",
  async ([, filter]) => {
    const { rows } = await client.query<{ id: number }>(
      "select id::float8 as id from tracks order by id offset 400 limit 1",
    );
    for (const page of [{}, { id: rows[0]?.id }, { ascending: true }]) {
      const { found, read } = await costOf(filter, page);
      expect(found).toBe(50);
      expect(read).toBeLessThan(2 * LOOKED_UP + PAGE);
    }
  },
);

test("a search for a common word reads only the rows that it ranks", async () => {
  for (const common of [words(SEEDED.common), words(SEEDED.japanese.common)]) {
    const { found, read } = await costOf(common);
    expect(found).toBe(50);
    // A tenth of all have one word, a seventeenth the other.
    expect(read).toBeLessThan(0.3 * TRACKS);
  }
});

test("related tracks weigh the newest few hundred, however many share a genre or tag", async () => {
  for (const genre of [SEEDED.genre, SEEDED.rareGenre]) {
    const { rows } = await client.query<{ id: string }>(
      "select id from tracks where genre = $1 and sharing = 'public' order by id desc limit 2",
      [genre],
    );
    for (const { id } of rows) {
      const { found, read, scans } = await costOfStatement(relatedStatement(Number(id)));
      expect([found, scans]).toEqual([50, 0]);
      expect(read).toBeLessThan(LOOKED_UP + 4 * PAGE);
    }
  }
});

test("related tracks of an artist whose name many descriptions hold cost no more", async () => {
  const { rows } = await client.query<{ id: string }>(
    `update tracks set artist = $1, genre = null, tag_list = ''
     where id = (select min(id) from tracks where sharing = 'public') returning id`,
    [SEEDED.frequent],
  );
  const { read, scans } = await costOfStatement(relatedStatement(Number(rows[0]?.id)));
  expect(scans).toBe(0);
  expect(read).toBeLessThan(LOOKED_UP + 4 * PAGE);
});

test("200 ids are found by index", async () => {
  const { rows } = await client.query<{ id: number }>(
    "select id::float8 as id from tracks order by md5(id::text) limit 200",
  );
  const { found, read, scans } = await costOf({ ids: rows.map(({ id }) => id) }, { limit: 200 });
  expect([found, scans]).toEqual([200, 0]);
  expect(read).toBeLessThan(PAGE);
});

/** Lists the playlists of user 1 with their tracks, and returns how many. */
async function shownOfPlaylists(limit: number, mostTracks: number) {
  const readAll = async (readings: Reading<unknown>[]) => {
    const replies: unknown[][] = [];
    for (const { statement, toRows } of readings) {
      const { text, parameters } = statement();
      const { rows } = await client.query({ text, values: [...parameters], rowMode: "array", types: TYPES });
      replies.push(toRows(rows));
    }
    return replies;
  };
  const listed = await listPlaylists(
    { readAll } as unknown as Database,
    { sessionId: 1, clientId: "cost", userId: 1 },
    {
      filter: { owner: 1 },
      page: { limit, offset: 0 },
      shown: "tracks",
      access: undefined,
      facts: { secretHash: undefined, country: "DE" },
      mostTracks,
    },
  );
  return listed?.playlists.length;
}

test("a page of large playlists reads no tracks of those that have no room on it", async () => {
  const [sets, each, most] = [20, 400, 1_000];
  await client.query("begin");
  try {
    await client.query("alter table playlists disable trigger user");
    await client.query(
      `insert into playlists (id, user_id, title, permalink, secret_hash, secret_sealed)
       select n, 1, '', n, n::text::bytea, '' from generate_series(1, $1::int) n`,
      [sets],
    );
    await client.query(
      `insert into playlist_tracks (playlist_id, position, track_id)
       select n, t.place, t.id from generate_series(1, $1::int) n,
         (select id, row_number() over (order by id) as place from tracks order by id limit $2::int) t`,
      [sets, each],
    );
    const before = await readings();
    expect(await shownOfPlaylists(sets, most)).toBe(2);
    // Each track is read with its owner, for its playlist and for the page.
    expect((await readings()).read - before.read).toBeLessThan(6 * most);
  } finally {
    await client.query("rollback");
  }
});
