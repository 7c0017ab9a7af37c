import { beforeAll, describe, expect, test } from "vitest";
import type { Feed } from "../../../functions/api/feed/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";
import { refusal } from "../tracks/lists.support.ts";
import {
  createReader,
  feedOf,
  follow,
  itemsOf,
  pagesOf,
  repostPlaylist,
  repostTrack,
} from "./feed.support.ts";

let ana: Person;
let bob: Person;

beforeAll(async () => {
  [ana, bob] = [await createUser(), await createUser()];
});

describe("a feed", () => {
  test("has posts and reposts of followed users, newest first, and nothing else", async () => {
    const [artist, curator, stranger] = [await createUser(), await createUser(), await createUser()];
    const reader = await createReader(artist, curator);
    const first = await createPlayableTrack(artist);
    const found = await createPlayableTrack(stranger);
    await createPlayableTrack(stranger);
    const own = await createPlayableTrack(reader);
    await repostTrack(curator, found.id);
    const set = await createPlaylist(artist, { tracks: named([first.id]) });
    const foundSet = await createPlaylist(stranger);
    await repostPlaylist(curator, foundSet.id);
    await repostTrack(curator, first.id);
    await repostTrack(reader, first.id);
    await repostTrack(stranger, own.id);
    expect(await itemsOf(reader)).toEqual([
      `track:repost ${first.id}`,
      `playlist:repost ${foundSet.id}`,
      `playlist ${set.id}`,
      `track:repost ${found.id}`,
      `track ${first.id}`,
    ]);
    expect(await itemsOf(reader, "/me/feed/tracks")).toEqual([
      `track:repost ${first.id}`,
      `track:repost ${found.id}`,
      `track ${first.id}`,
    ]);
    expect(await itemsOf(stranger)).toEqual([]);
  });

  test("shows complete tracks, playlists without their tracks, and who reposted", async () => {
    const [artist, curator] = [await createUser(), await createUser()];
    const reader = await createReader(artist, curator);
    const track = await createPlayableTrack(artist);
    const set = await createPlaylist(artist, { tracks: named([track.id]) });
    const mine = await createPlayableTrack(reader);
    await repostTrack(curator, mine.id);
    const { collection } = await feedOf(reader);
    const [reposted, playlist, posted] = collection;
    expect(posted).toEqual({
      type: "track",
      created_at: (await api.as(artist).get<{ created_at: string }>(`/tracks/${track.id}`)).body.created_at,
      tags: "affiliated",
      origin: (await api.as(reader).get(`/tracks/${track.id}`)).body,
    });
    expect(playlist).toMatchObject({ type: "playlist", origin: { id: set.id, track_count: 1 } });
    expect(playlist?.origin).not.toHaveProperty("tracks");
    expect(reposted).toMatchObject({
      type: "track:repost",
      tags: "own, affiliated",
      origin: (await api.as(reader).get(`/tracks/${mine.id}`)).body,
      reposter: expect.stringMatching(new RegExp(`^[a-z-]+:users:${curator.id}$`)),
      reposter_user: { id: curator.id, username: curator.username },
    });
  });

  test("dates a private track by its publication, and a repost by its creation", async () => {
    const reader = await createReader(ana, bob);
    const track = await createPlayableTrack(ana, { sharing: "private" });
    const set = await createPlaylist(ana, { sharing: "private" });
    const other = await createPlayableTrack(bob);
    const mine = async () => (await itemsOf(reader)).slice(0, 3);
    expect((await mine())[0]).toBe(`track ${other.id}`);
    await api.as(ana).put(`/tracks/${track.id}`, { json: { track: { sharing: "public" } } });
    await api.as(ana).put(`/playlists/${set.id}`, { json: { playlist: { sharing: "public" } } });
    expect(await mine()).toEqual([`playlist ${set.id}`, `track ${track.id}`, `track ${other.id}`]);
    await repostTrack(bob, track.id);
    expect((await mine())[0]).toBe(`track:repost ${track.id}`);
    const [repost] = (await feedOf(reader)).collection;
    const [row] = await sql<{ at: string }>(
      `select to_char(id_created_at(id) at time zone 'UTC', 'YYYY/MM/DD HH24:MI:SS "+0000"') as at from reposts
       where track_id = $1`,
      [track.id],
    );
    expect(repost?.created_at).toBe(row?.at);
  });

  test("keeps the place of what was public before, however often it is hidden and shown again", async () => {
    const artist = await createUser();
    const reader = await createReader(artist);
    const draft = await createPlayableTrack(artist, { sharing: "private" });
    const open = await createPlayableTrack(artist);
    const set = await createPlaylist(artist);
    const last = await createPlayableTrack(artist);
    const share = (path: string, sharing: string) =>
      api
        .as(artist)
        .put(path, { json: { [path.startsWith("/tracks") ? "track" : "playlist"]: { sharing } } });
    await share(`/tracks/${draft.id}`, "public");
    const before = await feedOf(reader);
    const order = [`track ${draft.id}`, `track ${last.id}`, `playlist ${set.id}`, `track ${open.id}`];
    expect(await itemsOf(reader)).toEqual(order);
    for (const path of [`/tracks/${draft.id}`, `/tracks/${open.id}`, `/playlists/${set.id}`]) {
      await share(path, "private");
      expect(await itemsOf(reader)).toHaveLength(3);
      await share(path, "public");
      expect(await itemsOf(reader)).toEqual(order);
    }
    const dates = ({ collection }: typeof before) => collection.map(({ created_at }) => created_at);
    expect(dates(await feedOf(reader))).toEqual(dates(before));
  });

  test("holds nothing private, nor a repost of it, whoever may see the original (X10)", async () => {
    const [artist, fan] = [await createUser(), await createUser()];
    const reader = await createReader(artist, fan);
    const track = await createPlayableTrack(artist);
    const set = await createPlaylist(artist, { tracks: named([track.id]) });
    await repostTrack(fan, track.id);
    await repostPlaylist(fan, set.id);
    await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [track.id, reader.id]);
    expect(await itemsOf(reader)).toHaveLength(4);
    await api.as(artist).put(`/tracks/${track.id}`, { json: { track: { sharing: "private" } } });
    expect(await itemsOf(reader)).toEqual([`playlist:repost ${set.id}`, `playlist ${set.id}`]);
    await api.as(artist).put(`/playlists/${set.id}`, { json: { playlist: { sharing: "private" } } });
    expect(await itemsOf(reader)).toEqual([]);
    expect(await itemsOf(await createReader(fan))).toEqual([]);
  });

  test("reflects following and unfollowing at once", async () => {
    const artist = await createUser();
    const track = await createPlayableTrack(artist);
    const reader = await createUser();
    expect(await itemsOf(reader)).toEqual([]);
    await api.as(reader).put(`/me/followings/${artist.id}`);
    expect(await itemsOf(reader)).toEqual([`track ${track.id}`]);
    await api.as(reader).delete(`/me/followings/${artist.id}`);
    expect(await itemsOf(reader)).toEqual([]);
  });

  test("filters tracks by access", async () => {
    const artist = await createUser();
    const reader = await createReader(artist);
    const set = await createPlaylist(artist);
    const open = await createPlayableTrack(artist);
    const blocked = await createPlayableTrack(artist, { streamable: false });
    const preview = await createPlayableTrack(artist, { paywall: "preview" });
    const of = (access: string) => itemsOf(reader, `/me/feed?access=${access}`);
    const [o, b, p, s] = [
      `track ${open.id}`,
      `track ${blocked.id}`,
      `track ${preview.id}`,
      `playlist ${set.id}`,
    ];
    expect(await of("playable")).toEqual([o, s]);
    expect(await of("playable,preview")).toEqual([p, o, s]);
    expect(await of("blocked")).toEqual([b, s]);
    expect(await of("playable,preview,blocked")).toEqual([p, b, o, s]);
    expect(await itemsOf(reader, "/me/feed/tracks?access=blocked&limit=1")).toEqual([b]);
    expect(await itemsOf(reader)).toEqual([p, b, o, s]);
  });

  test("is the reader's alone: 401 without a token or with an app's own; invalid parameters are named", async () => {
    expect((await api.get("/me/feed")).status).toBe(401);
    expect((await api.as(await createAppToken()).get("/me/feed")).status).toBe(401);
    expect(await refusal(ana, "limit=0", "/me/feed")).toEqual([422, expect.stringMatching(/^limit/)]);
    expect(await refusal(ana, "access=all", "/me/feed")).toEqual([422, expect.stringMatching(/^access/)]);
    for (const parameter of ["cursor", "uuid[to]"])
      for (const value of ["x", "", "a.b", "'; drop table posts"])
        expect(
          await refusal(ana, new URLSearchParams({ [parameter]: value }).toString(), "/me/feed"),
        ).toEqual([400, `${parameter}: was not issued by this list`]);
  });

  test("refuses cursors of other users, of other lists, and of the other direction", async () => {
    const artist = await createUser();
    const [one, other] = [await createReader(artist), await createReader(artist)];
    await createPlayableTrack(artist);
    await createPlayableTrack(artist);
    const { next_href = "", future_href } = await feedOf(one, "/me/feed?limit=1");
    const cursor = new URL(next_href).searchParams.get("cursor") ?? "";
    const since = new URL(future_href).searchParams.get("uuid[to]") ?? "";
    const status = async (who: Person, query: Record<string, string>, path = "/me/feed") =>
      (await api.as(who).get(`${path}?${new URLSearchParams(query)}`)).status;
    expect(await status(one, { cursor })).toBe(200);
    expect(await status(one, { "uuid[to]": since })).toBe(200);
    expect(await status(other, { cursor })).toBe(400);
    expect(await status(other, { "uuid[to]": since })).toBe(400);
    expect(await status(one, { cursor }, "/me/feed/tracks")).toBe(400);
    expect(await status(one, { cursor, access: "playable" })).toBe(400);
    expect(await status(one, { cursor: since })).toBe(400);
    expect(await status(one, { "uuid[to]": cursor })).toBe(400);
  });

  test("has the same content in XML and JSON, and links to XML from XML", async () => {
    const artist = await createUser();
    const reader = await createReader(artist);
    const track = await createPlayableTrack(artist);
    const xml = await api.as(reader).get<Feed>("/me/feed.xml");
    expect(xml.body.collection).toMatchObject([{ type: "track", origin: { id: track.id } }]);
    const older = await api.as(reader).get<Feed>(`${stack.urls.older}/me/feed?limit=1`);
    expect(new URL(older.body.future_href).searchParams.get("format")).toBe("xml");
  });
});

describe("pages of a feed", () => {
  test("end with the last item and stay stable while others post and take back", async () => {
    const artist = await createUser();
    const reader = await createReader(artist, bob);
    const ids: number[] = [];
    while (ids.length < 5) ids.unshift((await createPlayableTrack(artist)).id);
    const pages = await pagesOf(reader, "/me/feed/tracks?limit=2", async () => {
      await createPlayableTrack(artist);
      await sql("delete from tracks where id = $1", [ids[0]]);
    });
    const seen = pages.flatMap(({ collection }) => collection.map(({ origin }) => origin.id));
    expect(seen.slice(0, 5)).toEqual(ids);
    expect(pages.every(({ collection }) => collection.length > 0)).toBe(true);
    const all = await pagesOf(reader, "/me/feed/tracks?limit=1");
    const whole = await itemsOf(reader, "/me/feed/tracks");
    expect(
      all.flatMap(({ collection }) => collection.map(({ type, origin }) => `${type} ${origin.id}`)),
    ).toEqual(whole);
    expect((await feedOf(reader, `/me/feed/tracks?limit=${whole.length}`)).next_href).toBeUndefined();
  });

  test("are as full for a user who follows two thousand as for one who follows one", async () => {
    const artist = await createUser();
    const reader = await createUser();
    await sql(
      `with many as (insert into users (username, permalink)
         select 'many', 'many-' || gen_random_uuid() || '-' || n from generate_series(1, 1999) n returning id)
       insert into followings (user_id, followee_id) select $1, id from many`,
      [reader.id],
    );
    await follow(reader, artist);
    const old = await createPlayableTrack(artist);
    const track = await createPlayableTrack(artist);
    expect(await itemsOf(reader)).toEqual([`track ${track.id}`, `track ${old.id}`]);
    const pages = await pagesOf(reader, "/me/feed?limit=1");
    expect(pages.map(({ collection }) => collection[0]?.origin.id)).toEqual([track.id, old.id]);
  });
});
