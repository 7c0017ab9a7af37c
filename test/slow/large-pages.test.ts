import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createPlaylist, named } from "../api/playlists/playlists.ts";
import { describedTracks } from "../api/tracks/descriptions.ts";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { sql } from "../support/stack.ts";

/** The longest description allowed. */
const CHARS = 20_000;
const MIB = 2 ** 20;

let owner: Person;
let reader: Person;
let ids: number[];

beforeAll(async () => {
  [owner, reader] = [await createUser(), await createUser()];
  await sql("insert into followings (user_id, followee_id) values ($1, $2)", [reader.id, owner.id]);
  ids = await describedTracks(owner, 200, CHARS);
  // Likes of one millisecond have no certain order by ids of their own, so these take their tracks' ids.
  await sql("insert into favorites (id, user_id, track_id) select id, $1, id from unnest($2::bigint[]) id", [
    reader.id,
    ids,
  ]);
  await sql(
    `insert into recent_plays (user_id, track_id, played_at)
     select $1, id, now() - at * interval '1 second' from unnest($2::bigint[]) with ordinality t(id, at)`,
    [reader.id, ids],
  );
});

interface Page<Item> {
  collection: Item[];
  next_href?: string;
}

/** All items of the list by page. Every page but the last must promise more. */
async function whole<Item>(path: string, who = reader) {
  const pages: Item[][] = [];
  for (let href: string | undefined = path; href !== undefined; ) {
    const { status, body }: { status: number; body: Page<Item> } = await api.as(who).get<Page<Item>>(href);
    expect(status).toBe(200);
    expect(JSON.stringify(body).length).toBeLessThan(3 * MIB);
    pages.push(body.collection);
    href = body.next_href;
  }
  return pages;
}

const idOf = ({ id }: { id: number }) => id;

describe("a page of tracks ends early once its descriptions exceed 2 MiB, and leads on", () => {
  test.each([
    ["a user's tracks", () => `/users/${owner.id}/tracks?`],
    ["a user's tracks, oldest first", () => `/users/${owner.id}/tracks?sort=asc&`],
    ["a search", () => `/tracks?q=${owner.username}&`],
    ["tracks by their ids", () => `/tracks?ids=${ids.join()}&`],
    ["a user's likes", () => `/users/${reader.id}/favorites?`],
    ["what those one follows made public", () => "/me/followings/tracks?"],
    ["what was played last", () => "/me/recently-played/tracks?"],
  ])("%s", async (name, path) => {
    const pages = await whole<Track>(`${path()}limit=200&linked_partitioning=true`);
    expect(pages.length).toBe(2);
    const expected = name.includes("oldest") ? ids.toReversed() : ids;
    const listed = pages.flat().map(idOf);
    if (name === "a search") expect(listed.toSorted((a, b) => b - a)).toEqual(ids);
    else expect(listed).toEqual(expected);
    for (const { description } of pages.flat()) expect(description).toHaveLength(CHARS);
  });

  test("the owner's own tracks, and the cached list", async () => {
    for (let times = 0; times < 2; times++)
      expect(
        (await whole<Track>("/me/tracks?limit=200&linked_partitioning=true", owner)).flat().map(idOf),
      ).toEqual(ids);
    for (let times = 0; times < 2; times++) {
      const pages = await whole<Track>(`/users/${owner.id}/tracks?limit=200&linked_partitioning=true`);
      expect(pages.map(({ length }) => length)).toEqual([105, 95]);
    }
  });

  test("related tracks", async () => {
    const [first = 0, ...others] = ids;
    const pages = await whole<Track>(`/tracks/${first}/related?limit=200&linked_partitioning=true`);
    expect(pages.length).toBe(2);
    expect(pages.flat().map(idOf)).toEqual(others);
  });

  test("a feed, and activities", async () => {
    for (const path of [
      "/me/feed",
      "/me/feed/tracks",
      "/me/activities",
      "/me/activities/tracks/affiliated",
    ]) {
      const pages = await whole<{ origin: Track }>(`${path}?limit=200`);
      expect([path, pages.length]).toEqual([path, 2]);
      expect(pages.flat().map(({ origin }) => origin.id)).toEqual(ids);
    }
  });

  test("a bare array names its next page", async () => {
    const { headers, body } = await api.as(reader).get<Track[]>(`/users/${owner.id}/tracks?limit=200`);
    const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "") ?? [];
    const more = (await api.as(reader).get<Track[]>(next ?? "")).body;
    expect([...body, ...more].map(idOf)).toEqual(ids);
  });
});

describe("a playlist names all its tracks, beyond 4 MiB of descriptions by id only", () => {
  let playlist: Playlist;
  let all: number[];

  beforeAll(async () => {
    all = [...ids, ...(await describedTracks(owner, 100, CHARS))];
    playlist = await createPlaylist(owner, { title: "Long", tracks: named(all) });
  });

  test.each([
    ["itself", (id: number) => `/playlists/${id}`],
    ["itself to its owner", (id: number) => `/playlists/${id}`],
    ["in a list", () => `/users/${owner.id}/playlists`],
  ])("%s", async (name, path) => {
    const who = name.includes("owner") ? owner : reader;
    const { body } = await api.as(who).get<Playlist | Playlist[]>(path(playlist.id));
    const [shown] = [body].flat() as [Playlist];
    const tracks = shown.tracks ?? [];
    expect(tracks.map(idOf)).toEqual(all);
    expect([shown.track_count, shown.duration]).toEqual([300, 3_000_000]);
    const isWhole = tracks.map((track) => "title" in track);
    expect(isWhole).toEqual(all.map((_, at) => at < 210));
    expect(JSON.stringify(body).length).toBeLessThan(6 * MIB);
  });

  test("the playlist's list of tracks returns all of them complete, page by page", async () => {
    const pages = await whole<Track>(`/playlists/${playlist.id}/tracks?limit=200&linked_partitioning=true`);
    expect(pages.flat().map(idOf)).toEqual(all);
    for (const track of pages.flat()) expect(track.description).toHaveLength(CHARS);
  });
});
