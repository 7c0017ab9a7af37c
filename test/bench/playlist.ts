import type { Bench, Figure } from "./bench.ts";
import { withDatabase, withListSides } from "./list-sides.ts";
import { seedTracks } from "./seed.ts";
import type { BenchStack } from "./stack.ts";

const TRACKS = 20_000;
/** The limit on tracks in a playlist. */
const TRACKS_PER_PLAYLIST = 500;
const ROUNDS = 5;
const REQUESTS = 80;
const TARGET = 1.2;

/** Playlists of random tracks, none in two of them. */
const PLAYLISTS = `
with mixed as (
  select id, row_number() over (order by md5(id::text)) - 1 as n from tracks where sharing = 'public' and state <> 'failed'
), made as (
  insert into playlists (user_id, title, permalink, secret_hash, secret_sealed)
  select (select min(id) from users) + n, 'Playlist ' || n, 'playlist-' || n, sha256(n::text::bytea), ''
  from generate_series(0, ${TRACKS / TRACKS_PER_PLAYLIST - 1}) n
  returning id, user_id
), entries as (
  insert into playlist_tracks (playlist_id, position, track_id)
  select p.id, 1 + m.n % ${TRACKS_PER_PLAYLIST}, m.id
  from (select id, row_number() over (order by id) - 1 as n from made) p join mixed m on m.n / ${TRACKS_PER_PLAYLIST} = p.n
)
select id from made order by id`;

const seedPlaylists = (stack: BenchStack) =>
  withDatabase(stack, async (client) => {
    const { rows } = await client.query<{ id: string }>(PLAYLISTS);
    await client.query("vacuum analyze playlists, playlist_tracks");
    return rows.map(({ id }) => `/playlists/${id}`);
  });

/** Row `playlist`: 500 tracks of a playlist, over Fastify and `pg` with the same JSON. */
export async function playlist(bench: Bench): Promise<Figure[]> {
  let paths: string[] = [];
  const seed = async (stack: BenchStack) => {
    await seedTracks(stack.databaseUrl, TRACKS, bench.say);
    paths = await seedPlaylists(stack);
  };
  return withListSides(bench, seed, async (run) => {
    const asked = { row: "playlist", rounds: ROUNDS, requests: REQUESTS, target: TARGET };
    return [
      ...(await run({ ...asked, what: `${TRACKS_PER_PLAYLIST} tracks, the same`, paths: paths.slice(0, 1) })),
      ...(await run({ ...asked, what: `${TRACKS_PER_PLAYLIST} tracks, another each time`, paths })),
    ];
  });
}
