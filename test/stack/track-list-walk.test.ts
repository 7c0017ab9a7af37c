import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SEEDED, seedTracks } from "../bench/seed.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

const TRACKS = 4_000;
/** So many that a walk goes far beyond those that the planner sees. */
const RANGE_ROWS = 200;

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let client: pg.Client;
let middle: string;

beforeAll(async () => {
  database = await startMigratedDatabase();
  ({ client } = database);
  await seedTracks(database.databaseUrl, TRACKS, () => {}, RANGE_ROWS);
  await client.query(
    "insert into favorites (user_id, track_id) select 1, id from tracks order by md5(id::text) limit 500",
  );
  const { rows } = await client.query("select id from tracks order by id offset $1 limit 1", [TRACKS / 2]);
  middle = rows[0].id;
}, 300_000);

afterAll(() => database?.stop());

interface Asked {
  filter: Record<string, unknown>;
  words?: string[];
  phrases?: string[];
  /** SQL of the filter's other conditions. */
  where?: string;
}

const LISTS: Record<string, Asked> = {
  "a rare word": { filter: {}, words: [SEEDED.rare] },
  "a word": { filter: {}, words: [SEEDED.usual] },
  "a common word": { filter: {}, words: [SEEDED.common] },
  "two common words": { filter: {}, words: [SEEDED.common, SEEDED.frequent] },
  "a common word and a rare one": { filter: {}, words: [SEEDED.frequent, SEEDED.rare] },
  "one letter": { filter: {}, words: ["q"] },
  "a letter and a rare word": { filter: {}, words: ["a", SEEDED.rare] },
  "two letters": { filter: {}, words: ["q", "e"] },
  "the beginning of many words": { filter: {}, words: ["c4"] },
  "a word that nothing has": { filter: {}, words: [SEEDED.common, "zzzzzz"] },
  "a word and its beginning": { filter: {}, words: [SEEDED.usual, "emb"] },
  "a phrase": { filter: {}, phrases: ["house"], words: ["q"] },
  "a phrase of two words": { filter: {}, phrases: ["genre 7"] },
  "Japanese, in many titles": { filter: {}, words: [SEEDED.japanese.common] },
  "Japanese, inside a title": { filter: {}, words: [SEEDED.japanese.usual.slice(1)] },
  "Japanese, rare": { filter: {}, words: [SEEDED.japanese.rare] },
  "one Japanese character": { filter: {}, words: [SEEDED.japanese.common.slice(0, 1)] },
  "a Japanese phrase": { filter: {}, phrases: [SEEDED.japanese.usual], words: ["q"] },
  "Japanese and Latin": { filter: {}, words: [SEEDED.japanese.common, SEEDED.common] },
  "a genre": {
    filter: { genres: [SEEDED.rareGenre] },
    where: `document @@ $$':genre=${SEEDED.rareGenre}'$$`,
  },
  "a genre and a word": {
    filter: { genres: [SEEDED.genre] },
    words: [SEEDED.usual],
    where: `document @@ $$':genre=${SEEDED.genre}'$$`,
  },
  "a genre and a narrow bpm": {
    filter: { genres: [SEEDED.genre], bpm_from: 120, bpm_to: 121 },
    where: `document @@ $$':genre=${SEEDED.genre}'$$ and bpm between 120 and 121`,
  },
  "a word and a wide bpm": {
    filter: { bpm_to: 150 },
    words: [SEEDED.usual],
    where: "bpm <= 150",
  },
  "a narrow bpm": { filter: { bpm_from: 120, bpm_to: 120.4 }, where: "bpm between 120 and 120.4::real" },
  "a bpm that nothing has": { filter: { bpm_from: 500 }, where: "bpm >= 500" },
  "a narrow duration": {
    filter: { duration_from: 60_000, duration_to: 61_000 },
    where: "duration_ms between 60000 and 61000",
  },
  "a duration and a bpm": {
    filter: { duration_to: 90_000, bpm_from: 170 },
    where: "duration_ms <= 90000 and bpm >= 170",
  },
  "a word of one's own": { filter: { owner: 7 }, words: ["dj"], where: "user_id = 7" },
  "what somebody likes": { filter: { favored_by: 1 } },
  "a word of what somebody likes": { filter: { favored_by: 1 }, words: [SEEDED.common] },
};

const PUBLICATION = "(select t.published_id from tracks t where t.id = s.id)";

function placeOf({ filter }: Asked): string {
  if ("favored_by" in filter) return "f.id";
  return "owner" in filter ? PUBLICATION : "s.id";
}

/** Searches the way `list_tracks` does. */
async function found(asked: Asked, { ascending, limit, from, to }: Walk): Promise<string[]> {
  const filter = { ...asked.filter, ...searched(asked) };
  const { rows } = await client.query<{ place: string; rank: number }>(
    `select f.place, f.rank from search_words($1) words, match_both(
       search_any_label('genre', $1->'genres'), null) labels,
       find_tracks(null, 'DE', $1, words, labels, $2, $3, $4, $5) f`,
    [JSON.stringify(filter), from, to, ascending, limit],
  );
  const places = rows.map(({ place, rank }) => ({ id: BigInt(place), text: `${place} ${rank ?? ""}` }));
  return inOrder(places, ascending, limit);
}

/** Examines every row of the search. */
async function looked(asked: Asked, { ascending, limit, from, to }: Walk): Promise<string[]> {
  const place = placeOf(asked);
  const { rows } = await client.query<{ place: string; rank: number }>(
    `select ${place} as place, search_rank(s.document, words, whole_in_names(words)) as rank
     from search_words($1) words, track_search s ${place === "f.id" ? "join favorites f on f.track_id = s.id and f.user_id = 1" : ""}
     where (words is null or ts_match_vq(s.document, words)) and ${place} >= $2 and ${place} < $3 and ${asked.where ?? "true"}`,
    [JSON.stringify(searched(asked)), from, to],
  );
  const places = rows.map(({ place, rank }) => ({ id: BigInt(place), text: `${place} ${rank ?? ""}` }));
  return inOrder(places, ascending, limit);
}

interface Walk {
  ascending: boolean;
  limit: number;
  from: string;
  to: string;
}

const searched = ({ words, phrases }: Asked) =>
  words || phrases ? { words: words ?? [], phrases: phrases ?? [] } : {};

const inOrder = (places: { id: bigint; text: string }[], ascending: boolean, limit: number) =>
  places
    .sort((a, b) => (a.id < b.id === ascending ? -1 : 1))
    .slice(0, limit)
    .map(({ text }) => text);

const END = "9223372036854775807";

test.for(Object.entries(LISTS))("a walk from either end finds every match: %s", async ([, asked]) => {
  for (const ascending of [false, true])
    for (const limit of [1, 21, 1000])
      for (const [from, to] of [
        ["0", END],
        ["0", middle],
        [middle, END],
      ] as const) {
        const walk = { ascending, limit, from, to };
        expect(await found(asked, walk)).toEqual(await looked(asked, walk));
      }
});

const RARE = [
  "a rare word",
  "a common word and a rare one",
  "a letter and a rare word",
  "Japanese, rare",
  "a genre",
  "a bpm that nothing has",
];

test.for(RARE)("a walk does not read the ranges it skips: %s", async (name) => {
  const asked = LISTS[name] ?? { filter: {} };
  // A transaction keeps the counts stable. Between transactions they may be flushed at any time.
  await client.query("begin");
  try {
    const before = await readings();
    await found(asked, { ascending: false, limit: 1000, from: "0", to: END });
    const after = await readings();
    expect(after.scans - before.scans).toBe(0);
    expect(after.entries - before.entries).toBeLessThan(TRACKS / 10);
    expect(after.rows - before.rows).toBeLessThan(TRACKS / 10);
  } finally {
    await client.query("rollback");
  }
});

/** Rows and index entries of the search that this connection read, and its sequential scans. */
async function readings() {
  const { rows } = await client.query<{ rows: number; entries: number; scans: number }>(
    `with ranges as (select * from pg_stat_xact_user_tables where relname ~ '^track_search_[0-9]+$')
     select sum(seq_tup_read + idx_tup_fetch)::float8 as rows, sum(seq_scan)::float8 as scans,
       (select sum(pg_stat_get_xact_tuples_returned(indexrelid))::float8 from pg_index join ranges on relid = indrelid) as entries
     from ranges`,
  );
  return { rows: 0, entries: 0, scans: 0, ...rows[0] };
}

test("the words of bulk-seeded tracks are indexed", async () => {
  const { rows } = await client.query(
    `select lexeme from track_search, unnest(tsvector_to_array(document)) lexeme where lexeme not like ':%'
     except select word from search_words`,
  );
  expect(rows).toEqual([]);
});

test("a word is found as soon as a track has it", async () => {
  await client.query("begin");
  try {
    const asked = { filter: {}, words: ["xylophonist"] };
    const walk = { ascending: false, limit: 10, from: "0", to: END };
    expect(await found(asked, walk)).toEqual([]);
    await client.query("update tracks set title = 'The xylophonists' where id = $1", [middle]);
    expect(await found(asked, walk)).toEqual(await looked(asked, walk));
    expect(await found(asked, walk)).toHaveLength(1);
  } finally {
    await client.query("rollback");
  }
});
