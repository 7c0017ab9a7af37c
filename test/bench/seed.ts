import pg from "pg";

/** As the sweep cuts them. */
const RANGE_ROWS = 65_536;
const BATCH = 50_000;
const TRACKS_PER_USER = 10;
/** Milliseconds between two tracks: a million in a year. */
const STEP_MS = 30_000;

/** Words that searches of the bench look for, by how many tracks hold them. */
export const SEEDED = { common: "night", usual: "ember", rare: "quokka", genre: "house", rareGenre: "gqom" };

/**
 * Tracks as a library has them: a few genres and words that many share, most that few do. Ids end now. Search rows are
 * written in bulk, with the very functions that the triggers call.
 */
export async function seedTracks(
  databaseUrl: string,
  count: number,
  say: (line: string) => void,
  rangeRows = RANGE_ROWS,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const first = `((extract(epoch from now()) * 1000)::bigint - 1704067200000 - ${count}::bigint * ${STEP_MS})`;
    const [{ base } = { base: "0" }] = (await client.query<{ base: string }>(`select ${first} as base`)).rows;
    const idOf = (n: number) => ((BigInt(base) + BigInt(n) * BigInt(STEP_MS)) << 12n).toString();
    await client.query("select setseed(0.5)");
    await client.query("alter table tracks disable trigger tracks_are_indexed");
    for (let at = rangeRows; at < count; at += rangeRows)
      await client.query("select cut_track_search_v1($1)", [idOf(at)]);
    const users = Math.ceil(count / TRACKS_PER_USER);
    await client.query(
      `insert into users (id, permalink, username) select n, 'seed' || n, 'dj ' || substr(md5(n::text), 1, 6) || n
       from generate_series(1, $1::bigint) n`,
      [users],
    );
    for (let from = 1; from <= count; from += BATCH) {
      await client.query(TRACKS, [base, from, Math.min(count, from + BATCH - 1), users]);
      say(`seeded ${Math.min(count, from + BATCH - 1)} tracks`);
    }
    await client.query("alter table tracks enable trigger tracks_are_indexed");
    await indexAll(client);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

/** The indexes are built after the rows: a tenth of the time. */
async function indexAll(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'track_search'::regclass and not indisprimary`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await client.query(
    `insert into track_search select t.id, t.user_id, t.bpm, t.duration_ms, track_document_v1(t, u.username)
     from tracks t join users u on u.id = t.user_id where t.sharing = 'public' and t.state <> 'failed'
     on conflict do nothing`,
  );
  await client.query("set maintenance_work_mem = '256MB'");
  for (const { definition } of rows) await client.query(definition.replace(" ON ONLY ", " ON "));
}

/** `$1` milliseconds of the first, `$2` to `$3` which, `$4` users. Of 20,000 words the first are the most used. */
const TRACKS = `
with dice as (
  select n, random() as a, random() as b, random() as c, random() as d, random() as e, random() as f
  from generate_series($2::bigint, $3::bigint) n
), words as (
  select d.*, (select string_agg(substr(md5((20000 * power(abs(sin(n * 7.13 + k * k)), 3))::int::text), 1, 7), ' ')
    from generate_series(1, 40) k) as text
  from dice d
)
insert into tracks (id, user_id, title, permalink, description, genre, tag_list, track_type, license, bpm, streamable, paywall,
  secret_hash, secret_sealed, original_key, original_filename, original_format, original_content_size, state, duration_ms,
  media_prefix, media, playback_count, favoritings_count)
select ($1::bigint + n * ${STEP_MS}) << 12, 1 + (n * 7919) % $4::bigint,
  concat_ws(' ', split_part(text, ' ', 1), split_part(text, ' ', 2), split_part(text, ' ', 3),
    case when a < 0.1 then '${SEEDED.common}' when a < 0.11 then '${SEEDED.usual}' end),
  'seed-' || n, '<p>' || text || case when n % 20000 = 77 then ' ${SEEDED.rare}' else '' end || '</p>',
  case when b < 0.2 then '${SEEDED.genre}' when n % 20000 = 99 then '${SEEDED.rareGenre}'
    else 'genre ' || (200 * power(b, 2))::int end,
  split_part(text, ' ', 5) || ' "' || split_part(text, ' ', 6) || ' mix" year:of=' || 1990 + (n % 35),
  case when c < 0.5 then 'original' when c < 0.6 then 'remix' when c < 0.7 then 'live' when c < 0.701 then 'podcast' end,
  case when c < 0.8 then 'all-rights-reserved' when c < 0.99 then 'cc-by' else 'cc-by-nc-sa' end,
  case when d < 0.7 then round((60 + 120 * e)::numeric, 1) end, d > 0.01, case when d between 0.5 and 0.51 then 'preview' end,
  decode(md5(n::text) || md5('x' || n), 'hex'), '\\x00', 'in/' || n, 'a.wav', 'wav', 10000000 + n,
  'finished', (30000 + 570000 * f)::bigint, 'media/' || n || '/', '{}', (100000 * power(a, 8))::bigint, (1000 * power(b, 8))::bigint
from words on conflict do nothing`;

if (import.meta.main) {
  const [url = "", count = "10000"] = process.argv.slice(2);
  await seedTracks(url, Number(count), console.error);
}
