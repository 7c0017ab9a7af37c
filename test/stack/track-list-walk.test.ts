import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseTracks } from "../../db/queries/choose-tracks.ts";
import { toStatement } from "../../db/stored-select.ts";
import { SEEDED, seedTracks } from "../bench/seed.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

/** So many that one word is too common to be looked up. */
const TRACKS = 45_000;

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let client: pg.Client;
let middle: string;

beforeAll(async () => {
  database = await startMigratedDatabase();
  ({ client } = database);
  await seedTracks(database.databaseUrl, TRACKS, () => {});
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

/** Chooses as the service does, for a visitor. */
async function found(asked: Asked, { ascending, limit, from }: Walk): Promise<string[]> {
  const filter = { ...asked.filter, ...searched(asked) };
  const page = { limit: limit - 1, offset: 0, ascending, ranked: false, ...(from && { id: Number(from) }) };
  const choice = chooseTracks(filter, page, { userId: null, country: "DE" });
  const { text, parameters } = toStatement(choice.getSQL());
  const { rows } = await client.query({ text, values: [...parameters], rowMode: "array" });
  return rows.map(([, place]) => String(place));
}

/** Examines every row of the search. */
async function looked(asked: Asked, { ascending, limit, from }: Walk): Promise<string[]> {
  const place = placeOf(asked);
  const { rows } = await client.query<{ place: string }>(
    `select ${place} as place from search_words($1) words, track_documents s
       ${place === "f.id" ? "join favorites f on f.track_id = s.id and f.user_id = 1" : ""}
     where s.listed and (words is null or ts_match_vq(s.document, words)) and ${asked.where ?? "true"}
       and ${from ? `${place} ${ascending ? ">" : "<"} ${from}` : "true"}
     order by place ${ascending ? "asc" : "desc"} limit ${limit}`,
    [JSON.stringify(searched(asked))],
  );
  return rows.map(({ place }) => place);
}

interface Walk {
  ascending: boolean;
  limit: number;
  /** The place after which it begins. */
  from: string | undefined;
}

const searched = ({ words, phrases }: Asked) =>
  words || phrases ? { words: words ?? [], phrases: phrases ?? [] } : {};

test.for(Object.entries(LISTS))("a walk from either end finds every match: %s", async ([, asked]) => {
  for (const ascending of [false, true])
    for (const limit of [2, 21, 1000])
      for (const from of [undefined, middle]) {
        const walk = { ascending, limit, from };
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

test.for(RARE)("rare matches are looked up: %s", async (name) => {
  const asked = LISTS[name] ?? { filter: {} };
  // A transaction keeps the counts stable. Between transactions they may be flushed at any time.
  await client.query("begin");
  try {
    const before = await readings();
    await found(asked, { ascending: false, limit: 1000, from: undefined });
    const after = await readings();
    expect(after.scans - before.scans).toBe(0);
    expect(after.rows - before.rows).toBeLessThan(TRACKS / 10);
  } finally {
    await client.query("rollback");
  }
});

/** Rows of the search that this connection read, and its sequential scans. */
async function readings() {
  const { rows } = await client.query<{ rows: number; scans: number }>(
    `select (seq_tup_read + idx_tup_fetch)::float8 as rows, seq_scan::float8 as scans
     from pg_stat_xact_user_tables where relname = 'track_documents'`,
  );
  return { rows: 0, scans: 0, ...rows[0] };
}

test("a word is found as soon as a track has it", async () => {
  await client.query("begin");
  try {
    const asked = { filter: {}, words: ["xylophonist"] };
    const walk = { ascending: false, limit: 10, from: undefined };
    expect(await found(asked, walk)).toEqual([]);
    await client.query("update tracks set title = 'The xylophonists' where id = $1", [middle]);
    expect(await found(asked, walk)).toHaveLength(1);
  } finally {
    await client.query("rollback");
  }
});

test("a word of more than four thousand tracks is walked, and ranks the newest two hundred", async () => {
  const words = { words: [SEEDED.common], phrases: [] };
  const page = { limit: 250, offset: 0, ascending: false, ranked: true };
  const { text, parameters } = toStatement(
    chooseTracks(words, page, { userId: null, country: "DE" }).getSQL(),
  );
  const { rows } = await client.query({ text, values: [...parameters], rowMode: "array" });
  const newest = await found(
    { filter: {}, words: words.words },
    { ascending: false, limit: 251, from: undefined },
  );
  expect(rows.map(([, place]) => String(place)).sort()).toEqual(newest.sort());
  const ranks = rows.map(([, , rank]) => (rank === null ? null : Number(rank)));
  expect(ranks.filter((rank) => rank !== null)).toHaveLength(200);
  expect(ranks.slice(0, 200)).toEqual(ranks.slice(0, 200).toSorted((a, b) => Number(b) - Number(a)));
});
