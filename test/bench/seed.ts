import { availableParallelism } from "node:os";
import pg from "pg";

const BATCH = 10_000;
const TRACKS_PER_USER = 10;
/** Milliseconds between two tracks: a million in a year. */
const STEP_MS = 30_000;
/** The number of rare tracks is the same in every library. */
const RARE_TRACKS = 20;

/**
 * Search words by frequency: `common` and `frequent` in many tracks, `usual` in one of a hundred. One title
 * in five is Japanese.
 */
export const SEEDED = {
  common: "night",
  frequent: "c4ca423",
  usual: "ember",
  rare: "quokka",
  japanese: { common: "東京", usual: "雪月花", rare: "椿油" },
  genre: "house",
  rareGenre: "gqom",
  tag: "year:of=1999",
};

/**
 * Seeds a realistic library: few genres and words are common, most are rare. Ids end now. Bulk inserts call
 * the triggers' functions on every core; indexes follow at the end.
 */
export async function seedTracks(
  databaseUrl: string,
  count: number,
  say: (line: string) => void,
): Promise<void> {
  const clients = Array.from(
    { length: availableParallelism() },
    () => new pg.Client({ connectionString: databaseUrl }),
  );
  const [client] = clients;
  if (!client) return;
  await Promise.all(clients.map((each) => each.connect()));
  try {
    const first = `((extract(epoch from now()) * 1000)::bigint - 1704067200000 - ${count}::bigint * ${STEP_MS})`;
    const [{ base } = { base: "0" }] = (await client.query<{ base: string }>(`select ${first} as base`)).rows;
    const idOf = (n: number) => ((BigInt(base) + BigInt(n) * BigInt(STEP_MS)) << 12n).toString();
    const users = Math.ceil(count / TRACKS_PER_USER);
    const rareEvery = Math.ceil(count / RARE_TRACKS);
    for (const trigger of FOLLOWING) await client.query(`alter table tracks disable trigger ${trigger}`);
    // Batches that add the same new words in another order would wait for each other.
    await client.query("alter table track_documents disable trigger new_words_are_known");
    const indexes = await dropIndexes(client);
    await client.query(
      `insert into users (id, permalink, username) select n, 'seed' || n, 'dj ' || substr(md5(n::text), 1, 6) || n
       from generate_series(1, $1::bigint) n`,
      [users],
    );
    let next = 1;
    const fill = async (each: pg.Client) => {
      for (let from = next; from <= count; from = next) {
        next += BATCH;
        const to = Math.min(count, from + BATCH - 1);
        // Seeded per batch, so that the tracks do not depend on the connection.
        await each.query("select setseed($1::float8)", [1 / from]);
        await each.query(TRACKS, [base, from, to, users, rareEvery]);
        await each.query(SEARCH_ROWS, [idOf(from), idOf(to)]);
        if (to % (10 * BATCH) === 0) say(`seeded ${to} tracks`);
      }
    };
    await Promise.all(clients.map(fill));
    for (const trigger of FOLLOWING) await client.query(`alter table tracks enable trigger ${trigger}`);
    await client.query("alter table track_documents enable trigger new_words_are_known");
    await client.query(
      `insert into known_words select distinct word from track_documents, unnest(search_known(document)) word
       where listed on conflict do nothing`,
    );
    await client.query("set maintenance_work_mem = '256MB'");
    for (const definition of indexes) await client.query(definition);
    await client.query("vacuum analyze");
  } finally {
    await Promise.all(clients.map((each) => each.end()));
  }
}

/** Bulk inserts replace the first. The second does not affect searches. */
const FOLLOWING = ["tracks_are_indexed", "new_track_is_posted"];

/** Drops indexes that no constraint needs. Returns the statements that restore them. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid in ('tracks'::regclass, 'track_documents'::regclass)
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

const SEARCH_ROWS = "select index_track(t) from tracks t where t.id between $1 and $2";

/**
 * `$1`: milliseconds of the first. `$2` to `$3`: numbers. `$4`: users. One in `$5` is rare. Some of 20,000
 * words occur in most.
 */
const TRACKS = `
with dice as (
  select n, random() as a, random() as b, random() as c, random() as d, random() as e, random() as f
  from generate_series($2::bigint, $3::bigint) n
), words as (
  select d.*, (select string_agg(substr(md5((20000 * power(abs(sin(n * 7.13 + k * k)), 3))::int::text), 1, 7), ' ')
    from generate_series(1, 40) k) as text,
    -- Twelve of 3,000 characters, some of them in most titles.
    case when n % 5 = 0 then ' ' || case when f < 0.3 then '${SEEDED.japanese.common}' when f < 0.35 then '${SEEDED.japanese.usual}'
        when n % ($5::bigint / 5 * 5) = 55 then '${SEEDED.japanese.rare}' else '' end
      || (select string_agg(chr(19968 + (3000 * power(abs(sin(n * 3.7 + k * k)), 3))::int), '') from generate_series(1, 12) k)
      else '' end as japanese
  from dice d
)
insert into tracks (id, user_id, title, permalink, description, genre, tag_list, track_type, license, bpm, streamable, paywall,
  secret_hash, secret_sealed, original_key, original_filename, original_format, original_content_size, state, duration_ms,
  media_prefix, media, playback_count, favoritings_count)
select ($1::bigint + n * ${STEP_MS}) << 12, 1 + (n * 7919) % $4::bigint,
  concat_ws(' ', split_part(text, ' ', 1), split_part(text, ' ', 2), split_part(text, ' ', 3),
    case when a < 0.1 then '${SEEDED.common}' when a < 0.11 then '${SEEDED.usual}' end) || japanese,
  'seed-' || n, '<p>' || text || case when n % $5::bigint = 77 then ' ${SEEDED.rare}' else '' end || '</p>',
  case when b < 0.2 then '${SEEDED.genre}' when n % $5::bigint = 99 then '${SEEDED.rareGenre}'
    else 'genre ' || (200 * power(b, 2))::int end,
  split_part(text, ' ', 5) || ' "' || split_part(text, ' ', 6) || ' mix" year:of=' || 1990 + (n % 35),
  case when c < 0.5 then 'original' when c < 0.6 then 'remix' when c < 0.7 then 'live' when c < 0.701 then 'podcast' end,
  case when c < 0.8 then 'all-rights-reserved' when c < 0.99 then 'cc-by' else 'cc-by-nc-sa' end,
  case when d < 0.7 then round((60 + 120 * e)::numeric, 1) end, d > 0.01, case when d between 0.5 and 0.51 then 'preview' end,
  decode(md5(n::text) || md5('x' || n), 'hex'), '\\x00', 'in/' || n, 'a.wav', 'wav', 10000000 + n,
  'finished', (30000 + 570000 * f)::bigint, 'media/' || n || '/',
  jsonb_build_object('loudness', jsonb_build_object('integrated_lufs', round((-20 + 12 * d)::numeric, 1),
    'range_lu', round((3 + 9 * e)::numeric, 1), 'true_peak_dbtp', round((-3 + 4 * a)::numeric, 1))),
  (100000 * power(a, 8))::bigint, (1000 * power(b, 8))::bigint
from words`;

if (import.meta.main) {
  const [url = "", count = "10000"] = process.argv.slice(2);
  await seedTracks(url, Number(count), console.error);
}
