import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { createReader, itemsOf } from "../feed/feed.support.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";

type Named = { id: number };

let owner: Person;
let follower: Person;

beforeEach(async () => {
  owner = await createUser();
  follower = await createReader(owner);
});

/** Gives all of them one time, which came a moment ago. */
const fallDue = (tracks: Named[], sets: Named[] = []) =>
  sql(
    `with time as (select date_trunc('second', now()) as at), due_tracks as (
       update tracks set publish_at = time.at from time where id = any ($1))
     update playlists set publish_at = time.at from time where id = any ($2)`,
    [tracks.map(({ id }) => id), sets.map(({ id }) => id)],
  );

const minute = () => runCron("* * * * *");

const trackOf = async (who: Person, { id }: Named) => (await api.as(who).get<Track>(`/tracks/${id}`)).body;

const sharingOf = async (one: Named) => (await trackOf(owner, one)).sharing;

/** Two finished tracks and the set that holds them, all private. */
async function createRelease() {
  const [second, first] = [
    await createPlayableTrack(owner, { sharing: "private" }),
    await createPlayableTrack(owner, { sharing: "private" }),
  ];
  const tracks = [first, second];
  const set = await createPlaylist(owner, { sharing: "private", tracks: named(tracks.map(({ id }) => id)) });
  return { tracks, set };
}

test("a set and its tracks appear together at their time, and feeds date them by it", async () => {
  const { tracks, set } = await createRelease();
  const newer = await createPlayableTrack(owner, { sharing: "public" });
  expect(await itemsOf(follower)).toEqual([`track ${newer.id}`]);
  await fallDue(tracks, [set]);
  await expect.poll(async () => (await itemsOf(follower)).length).toBe(4);
  expect(await itemsOf(follower)).toEqual([
    `playlist ${set.id}`,
    ...tracks.map(({ id }) => `track ${id}`),
    `track ${newer.id}`,
  ]);
  const { body } = await api.as(follower).get<Playlist>(`/playlists/${set.id}`);
  expect(body).toMatchObject({ sharing: "public", publish_at: null, track_count: 2 });
  for (const { published_at } of [body, await trackOf(follower, tracks[0] as Named)])
    expect(Date.parse(published_at ?? "")).toBeGreaterThan(Date.now() - 60_000);
});

test("a release waits for a track that is being encoded, and leaves a failed one behind until its retry", async () => {
  const { tracks, set } = await createRelease();
  const encoding = await createTrack(owner, { sharing: "private" });
  const failed = await createTrack(owner, { sharing: "private", state: "failed" });
  await fallDue([...tracks, encoding, failed], [set]);
  await minute();
  expect((await api.as(follower).get(`/playlists/${set.id}`)).status).toBe(404);
  await sql("update tracks set state = 'failed' where id = $1", [encoding.id]);
  await minute();
  expect((await api.as(follower).get(`/playlists/${set.id}`)).status).toBe(200);
  expect(await trackOf(owner, failed)).toMatchObject({ sharing: "private" });
  expect((await trackOf(owner, failed)).publish_at).not.toBeNull();
  await sql(
    `update tracks set state = 'finished', duration_ms = f.duration_ms, media_prefix = f.media_prefix, media = f.media
     from (select * from tracks where id = $2) f where tracks.id = $1`,
    [failed.id, tracks[0]?.id],
  );
  await minute();
  expect(await sharingOf(failed)).toBe("public");
});

test("the time of a track that is taken down ends without publishing it, and does not come back with it", async () => {
  const track = await createPlayableTrack(owner, { sharing: "private" });
  await operate("track take-down", "--track", String(track.id), "--reason", "Somebody claims it");
  await fallDue([track]);
  await expect.poll(async () => (await trackOf(owner, track)).publish_at).toBeNull();
  await operate("track put-back", "--track", String(track.id));
  await minute();
  expect(await trackOf(owner, track)).toMatchObject({ sharing: "private", published_at: null });
});

test("nothing of a suspended owner is published until the suspension ends", async () => {
  const track = await createPlayableTrack(owner, { sharing: "private" });
  await operate("user suspend", "--user", owner.username, "--reason", "A mistake");
  await fallDue([track]);
  await minute();
  const [row] = await sql("select sharing from tracks where id = $1", [track.id]);
  expect(row).toEqual({ sharing: "private" });
  await operate("user restore", "--user", owner.username);
  await minute();
  expect((await api.as(follower).get(`/tracks/${track.id}`)).status).toBe(200);
});

test("two runs at once publish once", async () => {
  const { tracks, set } = await createRelease();
  await fallDue(tracks, [set]);
  await Promise.all([minute(), minute(), minute()]);
  const dated = await trackOf(owner, tracks[0] as Named);
  await minute();
  expect((await trackOf(owner, tracks[0] as Named)).last_modified).toBe(dated.last_modified);
  const posts = await sql("select kind from posts where user_id = $1 order by kind", [owner.id]);
  expect(posts.map(({ kind }) => kind)).toEqual(["playlist", "track", "track"]);
});

test("a run that is killed amid a release publishes none of it, and the next one all", async () => {
  const { tracks, set } = await createRelease();
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  await client.query("begin");
  // The set's post comes last. It waits for this one, which never comes.
  await client.query("insert into posts (id, kind, user_id, subject_id) values (1, 'playlist', $1, $2)", [
    owner.id,
    set.id,
  ]);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  await fallDue(tracks, [set]);
  const run = minute();
  const kill =
    "select pg_terminate_backend(pid) from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";
  await expect.poll(() => sql(kill, [rows[0]?.pid])).not.toEqual([]);
  const isPublic = "select id from posts where user_id = $1";
  expect(await sql(isPublic, [owner.id])).toEqual([]);
  await client.end();
  await run;
  await minute();
  expect(await sql(isPublic, [owner.id])).toHaveLength(3);
});

test("an owner who publishes by hand before the time is not published again at it", async () => {
  const track = await createPlayableTrack(owner, { sharing: "private" });
  await fallDue([track]);
  await api.as(owner).put(`/tracks/${track.id}`, { json: { track: { sharing: "public" } } });
  await api.as(owner).put(`/tracks/${track.id}`, { json: { track: { sharing: "private" } } });
  await minute();
  expect(await sharingOf(track)).toBe("private");
});
