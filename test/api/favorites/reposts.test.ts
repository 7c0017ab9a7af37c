import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { allPages, listed, refusal, uniqueWord } from "../tracks/lists.support.ts";
import { createFavoredTracks } from "./favored-tracks.support.ts";

let owner: Person;
let stranger: Person;

beforeAll(async () => {
  [owner, stranger] = await Promise.all([createUser(), createUser()]);
});

/** Tracks and a user who likes and reposts them in this order. */
const reposted = (order: number[], columns?: (at: number) => Record<string, unknown>) =>
  createFavoredTracks(owner, ["likes", "reposts"], order, columns);

describe("a list of reposted tracks", () => {
  test("has the last reposted first, or the requested order, page by page", async () => {
    const { fan, newestFirst } = await reposted([2, 0, 4, 1, 3]);
    const [last = 0] = newestFirst;
    await api.as(fan).delete(`/likes/tracks/${last}`);
    for (const path of ["/me/reposts/tracks", `/users/${fan.id}/reposts/tracks`]) {
      expect(await listed(fan, {}, path)).toEqual(newestFirst);
      expect(await listed(fan, { sort: "asc" }, path)).toEqual([...newestFirst].reverse());
      const pages = await allPages(fan, { limit: 2 }, { path });
      expect(pages).toEqual([newestFirst.slice(0, 2), newestFirst.slice(2, 4), newestFirst.slice(4)]);
    }
    expect(await listed(fan, {}, "/me/likes/tracks")).toEqual(newestFirst.slice(1));
  });

  test("accepts the filters and the search of tracks, and excludes likes", async () => {
    const [genre, word] = [uniqueWord(), uniqueWord()];
    const { fan, tracks, newestFirst } = await reposted([3, 1, 0, 2], (at) => ({
      title: at % 2 ? `Some ${word}` : "Another",
      genre: at < 2 ? genre : null,
      description: at === 2 ? word : null,
      bpm: 100 + at,
    }));
    const [first = 0, second = 0, third = 0, fourth = 0] = tracks;
    const of = (...ids: number[]) => newestFirst.filter((id) => ids.includes(id));
    const { id: liked } = await createPlayableTrack(owner, { title: word, genre });
    await api.as(fan).post(`/likes/tracks/${liked}`);
    for (const path of ["/me/reposts/tracks", `/users/${fan.id}/reposts/tracks`]) {
      expect(await listed(fan, { genres: genre }, path)).toEqual(of(first, second));
      expect(await listed(fan, { ids: `${second},${liked}` }, path)).toEqual([second]);
      expect(await listed(fan, { q: word }, path)).toEqual([...of(second, fourth), third]);
      expect(await listed(fan, { q: `"some ${word}"`, sort: "asc" }, path)).toEqual([fourth, second]);
      expect(await listed(fan, { q: "!" }, path)).toEqual([]);
      expect(await listed(fan, { "bpm[from]": 101, "bpm[to]": 102 }, path)).toEqual(of(second, third));
      expect(await listed(fan, { "duration[to]": 9_999 }, path)).toEqual([]);
      expect(await listed(fan, { "duration[from]": 10_000, "bpm[to]": 100 }, path)).toEqual([first]);
      expect(await listed(fan, { access: "playable" }, path)).toEqual(newestFirst);
      expect(await listed(fan, { access: "preview,blocked" }, path)).toEqual([]);
      expect(await listed(fan, { filter: "public" }, path)).toEqual(newestFirst);
      expect(await listed(fan, { "created_at[from]": "2000-01-01 00:00:00" }, path)).toEqual(newestFirst);
      expect(await listed(fan, { "created_at[to]": "2024-06-01 00:00:00" }, path)).toEqual([]);
      const pages = await allPages(fan, { q: word, limit: 1 }, { path });
      expect(pages.flat()).toEqual([...of(second, fourth), third]);
    }
  });

  test("shows private tracks only to those who may see them (X10)", async () => {
    const { fan, newestFirst } = await reposted([0, 1, 2]);
    const [hidden = 0] = newestFirst;
    await sql("update tracks set sharing = 'private' where id = $1", [hidden]);
    const path = `/users/${fan.id}/reposts/tracks`;
    for (const who of [fan, stranger, await createAppToken()])
      for (const parameters of [{}, { q: "stored" }, { ids: hidden }, { filter: "private" }])
        expect(await listed(who, parameters, path)).not.toContain(hidden);
    expect(await listed(owner, {}, path)).toEqual(newestFirst);
    expect(await listed(owner, { filter: "private" }, path)).toEqual([hidden]);
    expect(await listed(owner, { filter: "public" }, path)).toEqual(newestFirst.slice(1));
    expect(await allPages(fan, { limit: 2 }, { path: "/me/reposts/tracks" })).toEqual([newestFirst.slice(1)]);
  });

  test("refuses a cursor of likes and is 404 for unknown users", async () => {
    const { fan } = await reposted([0, 1]);
    const query = "limit=1&linked_partitioning=1";
    const page = await api.as(fan).get<{ next_href: string }>(`/me/likes/tracks?${query}`);
    const cursor = new URL(page.body.next_href).searchParams.get("cursor");
    expect((await refusal(fan, `limit=1&cursor=${cursor}`, "/me/reposts/tracks"))[0]).toBe(400);
    expect(await refusal(fan, "", "/users/1/reposts/tracks")).toEqual([404, "User not found"]);
    expect((await api.as(await createAppToken()).get("/me/reposts/tracks")).status).toBe(401);
  });
});

test("a track states its number of reposts, alone and in lists", async () => {
  const { fan, newestFirst } = await reposted([0]);
  const [id = 0] = newestFirst;
  const readCounts = async (who: Person) => [
    (await api.as(who).get<Track>(`/tracks/${id}`)).body.reposts_count,
    ...(await api.as(who).get<Track[]>(`/tracks?ids=${id}`)).body.map((track) => track.reposts_count),
  ];
  for (const who of [owner, stranger]) expect(await readCounts(who)).toEqual([1, 1]);
  await api.as(stranger).post(`/reposts/tracks/${id}`);
  for (const who of [owner, stranger]) expect(await readCounts(who)).toEqual([2, 2]);
  for (const who of [fan, stranger]) await api.as(who).delete(`/reposts/tracks/${id}`);
  for (const who of [owner, stranger]) expect(await readCounts(who)).toEqual([0, 0]);
});

test("ids of favorites match the list of favorites, page by page", async () => {
  const { fan, newestFirst } = await reposted([1, 2, 0]);
  const path = "/me/favorites/ids";
  expect((await api.as(fan).get(path)).body).toEqual(newestFirst);
  expect((await api.as(fan).get(`${path}?sort=asc&limit=1`)).body).toEqual(newestFirst.slice(2));
  const page = await api
    .as(fan)
    .get<{ collection: number[]; next_href: string }>(`${path}?limit=2&linked_partitioning=1`);
  expect(page.body.collection).toEqual(newestFirst.slice(0, 2));
  expect((await api.as(fan).get(page.body.next_href)).body).toEqual({ collection: newestFirst.slice(2) });
  await sql("update tracks set sharing = 'private' where id = $1", [newestFirst[0]]);
  expect((await api.as(fan).get(path)).body).toEqual(newestFirst.slice(1));
  expect((await api.as(stranger).get(path)).body).toEqual([]);
  expect((await api.as(await createAppToken()).get(path)).status).toBe(401);
});
