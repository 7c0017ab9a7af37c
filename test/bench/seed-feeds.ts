import pg from "pg";
import { seedTracks } from "./seed.ts";

/** Two million followings for a million tracks. */
const FOLLOWINGS_PER_TRACK = 2;
const TRACKS_PER_USER = 10;
/** One post in ten is a repost. */
const REPOSTS_EVERY = 10;

/**
 * Readers by the number of users they follow. The followees of `quiet` posted nothing in the newer half of
 * the time.
 */
type Readers = Record<"twenty" | "many" | "quiet", number>;

/** Seeds a library of `seedTracks` with posts and evenly spread followings. The readers must exist. */
export async function seedFeeds(
  databaseUrl: string,
  tracks: number,
  readers: Readers,
  say: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await seedTracks(databaseUrl, tracks, say);
    const users = Math.ceil(tracks / TRACKS_PER_USER);
    await client.query(POSTS, [REPOSTS_EVERY, users]);
    await client.query("alter table followings disable trigger user");
    await client.query(FOLLOWINGS, [users, (FOLLOWINGS_PER_TRACK * tracks) / users]);
    await client.query(FOLLOW, [readers.twenty, users, 20, 0]);
    await client.query(FOLLOW, [readers.many, users, 2000, 0]);
    await client.query(FOLLOW, [readers.quiet, users, 2000, 1]);
    await client.query(SILENCE, [readers.quiet]);
    await client.query("alter table followings enable trigger user");
    await client.query("vacuum analyze followings");
    await client.query("vacuum analyze posts");
  } finally {
    await client.end();
  }
}

/** Inserts the rows of the triggers in bulk, as if each track was published when created. */
const POSTS = `
insert into posts (id, kind, user_id, subject_id)
select t.id, 'track', t.user_id, t.id from tracks t where t.sharing = 'public' and t.state <> 'failed'
union all
select t.id + 1, 'track-repost', 1 + (t.user_id * 31) % $2::bigint, t.id from tracks t
where t.sharing = 'public' and t.state <> 'failed' and (t.id >> 12) / 30000 % $1::bigint = 0`;

const FOLLOWINGS = `
insert into followings (user_id, followee_id)
select u, 1 + (u * 31 + k * 4999) % $1::bigint from generate_series(1, $1::bigint) u, generate_series(1, $2::bigint) k
where u <> 1 + (u * 31 + k * 4999) % $1::bigint on conflict do nothing`;

/** Follows `$3` of `$2` users, evenly, from the `$4`th on. */
const FOLLOW = `
insert into followings (user_id, followee_id)
select $1::bigint, 1 + (n * ($2::bigint / $3::bigint) + $4::bigint) % $2::bigint from generate_series(0, $3::bigint - 1) n
on conflict do nothing`;

const SILENCE = `
delete from posts where id > (select (min(id) + max(id)) / 2 from posts)
  and user_id in (select followee_id from followings where user_id = $1)`;
