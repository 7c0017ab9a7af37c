import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { createPlaylist } from "../playlists/playlists.ts";
import { repostPlaylist, repostTrack } from "./feed.support.ts";

let owner: Person;
let fans: Person[];

beforeAll(async () => {
  owner = await createUser();
  fans = await Promise.all([createUser(), createUser()]);
});

const idsOf = (some: Person[]) => some.map(({ id }) => id);

/** Rows of these users in which the table differs from what it should hold. */
const differences = (some: Person[]) =>
  sql(
    `with owned as (select id from tracks where user_id = any ($1) union all select id from playlists where user_id = any ($1)),
       kept as (select id, kind, user_id, subject_id from posts
         where user_id = any ($1) or subject_id in (select id from owned)),
       meant as (select id, kind, user_id, subject_id from public_posts where user_id = any ($1) or owner_id = any ($1))
     (table kept except all table meant) union all (table meant except all table kept)`,
    [idsOf(some)],
  );

const postsOf = async (subject: number): Promise<string[]> =>
  (await sql<{ kind: string }>("select kind from posts where subject_id = $1 order by id", [subject])).map(
    ({ kind }) => kind,
  );

const changeTrack = (owner: Person, id: number, sharing: string) =>
  api.as(owner).put(`/tracks/${id}`, { json: { track: { sharing } } });

const changePlaylist = (owner: Person, id: number, sharing: string) =>
  api.as(owner).put(`/playlists/${id}`, { json: { playlist: { sharing } } });

const share = (table: "tracks" | "playlists", id: number, isPrivate: boolean) =>
  sql(`update ${table} set sharing = $2 where id = $1`, [id, isPrivate ? "private" : "public"]);

const leave = (who: Person, at: "now()" | "null") =>
  sql(`update users set disabled_at = ${at} where id = $1`, [who.id]);

describe("posts are exactly the public tracks and reposts, once each", () => {
  test("follow the sharing of a track and its reposts", async () => {
    const [owner, fan] = [await createUser(), await createUser()];
    const { id } = await createPlayableTrack(owner);
    await repostTrack(fan, id);
    await repostTrack(fan, id);
    expect(await postsOf(id)).toEqual(["track", "track-repost"]);
    await changeTrack(owner, id, "private");
    expect(await postsOf(id)).toEqual([]);
    await repostTrack(owner, id);
    expect(await postsOf(id)).toEqual([]);
    await changeTrack(owner, id, "public");
    expect(await postsOf(id)).toEqual(["track", "track-repost", "track-repost"]);
    await api.as(fan).delete(`/reposts/tracks/${id}`);
    expect(await postsOf(id)).toEqual(["track", "track-repost"]);
    await api.as(owner).delete(`/tracks/${id}`);
    expect(await postsOf(id)).toEqual([]);
    expect(await differences([owner, fan])).toEqual([]);
  });

  test("follow the sharing of a playlist and its reposts", async () => {
    const [owner, fan] = [await createUser(), await createUser()];
    const { id } = await createPlaylist(owner);
    await repostPlaylist(fan, id);
    expect(await postsOf(id)).toEqual(["playlist", "playlist-repost"]);
    await changePlaylist(owner, id, "private");
    expect(await postsOf(id)).toEqual([]);
    await changePlaylist(owner, id, "public");
    expect(await postsOf(id)).toEqual(["playlist", "playlist-repost"]);
    await api.as(owner).delete(`/playlists/${id}`);
    expect(await postsOf(id)).toEqual([]);
  });

  test("disappear with a failed track until it is retried", async () => {
    const owner = await createUser();
    const { id } = await createTrack(owner);
    expect(await postsOf(id)).toEqual(["track"]);
    await sql("update tracks set state = 'failed' where id = $1", [id]);
    expect(await postsOf(id)).toEqual([]);
    await sql("update tracks set state = 'processing' where id = $1", [id]);
    expect(await postsOf(id)).toEqual(["track"]);
  });

  test("disappear with a user who left, including others' reposts of theirs, until they return", async () => {
    const [owner, fan] = [await createUser(), await createUser()];
    const track = await createPlayableTrack(owner);
    const set = await createPlaylist(owner);
    const other = await createPlayableTrack(fan);
    await repostTrack(fan, track.id);
    await repostPlaylist(fan, set.id);
    await repostTrack(owner, other.id);
    const all = async () => [await postsOf(track.id), await postsOf(set.id), await postsOf(other.id)];
    const whole = await all();
    expect(whole).toEqual([
      ["track", "track-repost"],
      ["playlist", "playlist-repost"],
      ["track", "track-repost"],
    ]);
    await leave(owner, "now()");
    expect(await all()).toEqual([[], [], ["track"]]);
    expect(await differences([owner, fan])).toEqual([]);
    await leave(owner, "null");
    expect(await all()).toEqual(whole);
    expect(await differences([owner, fan])).toEqual([]);
    await sql("delete from users where id = $1", [owner.id]);
    expect(await all()).toEqual([[], [], ["track"]]);
  });

  test("omit a track that is deleted while the reposter returns", async () => {
    const [owner, fan] = [await createUser(), await createUser()];
    const { id } = await createPlayableTrack(owner);
    await repostTrack(fan, id);
    await leave(fan, "now()");
    await askDuring("delete from tracks where id = $1", [id], () => leave(fan, "null"));
    expect(await postsOf(id)).toEqual([]);
  });

  test("stay correct under concurrent changes", async () => {
    const tracks: number[] = [];
    const sets: number[] = [];
    while (tracks.length < 3) tracks.push((await createPlayableTrack(owner)).id);
    while (sets.length < 2) sets.push((await createPlaylist(owner)).id);
    const turns = fans.flatMap((who, at) =>
      Array.from({ length: 24 }, (_, n) => async () => {
        const track = tracks[(n + at) % 3] ?? 0;
        const set = sets[n % 2] ?? 0;
        if (n % 8 === 3) await share("tracks", track, n % 16 === 3);
        else if (n % 8 === 5) await share("playlists", set, n % 16 === 5);
        else if (n % 12 === 7) await leave(owner, n === 7 ? "now()" : "null");
        else if (n % 4 === 2) await api.as(who).delete(`/reposts/tracks/${track}`);
        else if (n % 4 === 1) await repostPlaylist(who, set);
        else await repostTrack(who, track);
      }),
    );
    await Promise.all(turns.map((turn) => turn()));
    expect(await differences([owner, ...fans])).toEqual([]);
    await leave(owner, "null");
    expect(await differences([owner, ...fans])).toEqual([]);
  });
});
