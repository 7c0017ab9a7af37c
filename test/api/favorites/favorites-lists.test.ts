import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { User } from "../../../functions/api/users/representation.ts";
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

/** Tracks and a user who likes them in this order. */
const createFavorites = (order: number[], columns?: (at: number) => Record<string, unknown>) =>
  createFavoredTracks(owner, ["likes"], order, columns);

const pathsOf = ({ id }: Person) => [
  "/me/favorites",
  "/me/likes/tracks",
  `/users/${id}/favorites`,
  `/users/${id}/likes/tracks`,
];

describe("a list of favorites", () => {
  test("has the last liked first, or the requested order, page by page", async () => {
    const { fan, newestFirst } = await createFavorites([2, 0, 4, 1, 3]);
    for (const path of pathsOf(fan)) {
      expect(await listed(fan, {}, path)).toEqual(newestFirst);
      expect(await listed(fan, { sort: "asc" }, path)).toEqual([...newestFirst].reverse());
      expect(await listed(fan, { limit: 2, offset: 1 }, path)).toEqual(newestFirst.slice(1, 3));
      const pages = await allPages(fan, { limit: 2 }, { path });
      expect(pages).toEqual([newestFirst.slice(0, 2), newestFirst.slice(2, 4), newestFirst.slice(4)]);
      const rising = await allPages(fan, { limit: 3, sort: "asc" }, { path });
      expect(rising.flat()).toEqual([...newestFirst].reverse());
    }
  });

  test("neither repeats nor omits items when likes come and go between pages", async () => {
    const { fan, newestFirst } = await createFavorites([0, 1, 2, 3, 4]);
    const { id: late } = await createPlayableTrack(owner);
    const between = async () => {
      await api.as(fan).put(`/me/favorites/${late}`);
      await api.as(fan).delete(`/me/favorites/${newestFirst[0]}`);
    };
    const pages = await allPages(fan, { limit: 2 }, { path: "/me/favorites", between });
    expect(pages.flat()).toEqual(newestFirst);
  });

  test("ends on a full page without a further one", async () => {
    const { fan, newestFirst } = await createFavorites([1, 0, 3, 2]);
    await sql("update tracks set sharing = 'private' where id = any ($1)", [newestFirst.slice(2)]);
    expect(await allPages(fan, { limit: 2 }, { path: "/me/favorites" })).toEqual([newestFirst.slice(0, 2)]);
  });

  test("accepts the filters and the search of tracks", async () => {
    const [genre, word] = [uniqueWord(), uniqueWord()];
    const { fan, tracks, newestFirst } = await createFavorites([3, 1, 0, 2], (at) => ({
      title: at % 2 ? `Some ${word}` : "Another",
      genre: at < 2 ? genre : null,
      description: at === 2 ? word : null,
      bpm: 100 + at,
    }));
    const [first = 0, second = 0, third = 0, fourth = 0] = tracks;
    const of = (...ids: number[]) => newestFirst.filter((id) => ids.includes(id));
    // Public but not a favorite.
    await createPlayableTrack(owner, { title: word, genre });
    for (const path of pathsOf(fan)) {
      const found = (parameters: Record<string, unknown>) => listed(fan, parameters, path);
      expect(await found({ genres: genre })).toEqual(of(first, second));
      expect(await found({ ids: `${second},${third}` })).toEqual(of(second, third));
      expect(await found({ "bpm[from]": 102 })).toEqual(of(third, fourth));
      expect(await found({ q: word, sort: "created_at" })).toEqual(of(second, third, fourth));
      // Best match first: the title outweighs the description.
      expect(await found({ q: word })).toEqual([...of(second, fourth), third]);
      expect(await found({ q: `"some ${word}"` })).toEqual(of(second, fourth));
      expect(await found({ q: word, genres: genre })).toEqual([second]);
      expect(await found({ q: "!" })).toEqual([]);
      expect(await found({ filter: "private" })).toEqual([]);
      expect(await found({ access: "playable" })).toEqual(newestFirst);
      expect(await found({ access: "blocked" })).toEqual([]);
      expect(await found({ "created_at[from]": "2000-01-01 00:00:00" })).toEqual(newestFirst);
      expect(await found({ "created_at[to]": "2024-06-01 00:00:00" })).toEqual([]);
      expect((await allPages(fan, { q: word, limit: 1 }, { path })).flat()).toEqual([
        ...of(second, fourth),
        third,
      ]);
    }
  });

  test("shows each track as the reader may see it", async () => {
    const { fan, newestFirst } = await createFavorites([0]);
    const { body } = await api.as(stranger).get<Track[]>(`/users/${fan.id}/favorites`);
    expect(
      body.map(({ id, user_favorite, favoritings_count }) => [id, user_favorite, favoritings_count]),
    ).toEqual([[newestFirst[0], false, 1]]);
    const own = await api.as(fan).get<Track[]>("/me/favorites");
    expect(own.body[0]).toMatchObject({ user_favorite: true });
  });

  test("shows private tracks only to those who may see them (X10)", async () => {
    const { fan, newestFirst } = await createFavorites([0, 1, 2]);
    const [hidden = 0] = newestFirst;
    await sql("update tracks set sharing = 'private' where id = $1", [hidden]);
    const path = `/users/${fan.id}/favorites`;
    const app = await createAppToken();
    for (const who of [fan, stranger, app])
      for (const parameters of [{}, { q: "stored" }, { ids: hidden }, { filter: "private" }])
        expect(await listed(who, parameters, path)).not.toContain(hidden);
    expect(await listed(fan, {}, "/me/favorites")).toEqual(newestFirst.slice(1));
    for (const parameters of [{}, { q: "stored" }, { filter: "private" }])
      expect(await listed(owner, parameters, path)).toContain(hidden);
    expect(await listed(owner, {}, path)).toEqual(newestFirst);
  });

  test("refuses other lists' cursors and invalid input, and is 404 for unknown users", async () => {
    const { fan } = await createFavorites([0, 1]);
    const next = await api.as(fan).get<{ next_href: string }>("/me/favorites?limit=1&linked_partitioning=1");
    const cursor = new URL(next.body.next_href).searchParams.get("cursor");
    for (const path of ["/me/tracks", `/users/${stranger.id}/favorites`])
      expect((await refusal(fan, `limit=1&cursor=${cursor}`, path))[0]).toBe(400);
    expect((await refusal(fan, "limit=0", "/me/favorites"))[0]).toBe(422);
    expect((await refusal(fan, "bpm[from]=x", "/me/favorites"))[0]).toBe(422);
    expect(await refusal(fan, "", "/users/1/favorites")).toEqual([404, "User not found"]);
    expect((await api.as(await createAppToken()).get("/me/favorites")).status).toBe(401);
  });
});

describe.each([
  ["favoriters", (id: number) => `/likes/tracks/${id}`],
  ["reposters", (id: number) => `/reposts/tracks/${id}`],
])("the list of %s", (name, pathOf) => {
  const idsOf = (users: User[]) => users.map(({ id }) => id);

  test("has the last first, page by page", async () => {
    const track = await createPlayableTrack(owner);
    const path = `/tracks/${track.id}/${name}`;
    const people = [await createUser(), await createUser(), await createUser()];
    for (const one of people) await api.as(one).post(pathOf(track.id));
    const expected = people.map(({ id }) => id).reverse();
    expect(idsOf((await api.as(stranger).get<User[]>(path)).body)).toEqual(expected);
    const pages = await allPages(stranger, { limit: 2 }, { path });
    expect(pages).toEqual([expected.slice(0, 2), expected.slice(2)]);
    await sql("update users set disabled_at = now() where id = $1", [expected[0]]);
    expect(await allPages(stranger, { limit: 2 }, { path })).toEqual([expected.slice(1)]);
  });

  test("shows complete users, with the search of users", async () => {
    const track = await createPlayableTrack(owner);
    const path = `/tracks/${track.id}/${name}`;
    const people = [await createUser(), await createUser()];
    for (const one of people) await api.as(one).post(pathOf(track.id));
    const [first, second] = people;
    const { body } = await api.as(owner).get<User[]>(`${path}?q=${first?.username}`);
    expect(body.map(({ id, followers_count }) => [id, followers_count])).toEqual([[first?.id, 0]]);
    const byId = await api.as(owner).get<User[]>(`${path}?ids=${second?.id},${owner.id}`);
    expect(idsOf(byId.body)).toEqual([second?.id]);
    expect((await refusal(owner, "limit=0", path))[0]).toBe(422);
  });

  test("requires a track that the caller may see (X10)", async () => {
    const { id, secret } = await createPlayableTrack(owner);
    await api.as(stranger).post(pathOf(id));
    await sql("update tracks set sharing = 'private' where id = $1", [id]);
    const path = `/tracks/${id}/${name}`;
    const reader = await createUser();
    expect(await refusal(reader, "", path)).toEqual(await refusal(reader, "", `/tracks/1/${name}`));
    for (const [who, query] of [
      [owner, ""],
      [reader, `?secret_token=${secret}`],
    ] as const)
      expect(idsOf((await api.as(who).get<User[]>(path + query)).body)).toEqual([stranger.id]);
  });
});

test("one favoriter is the user, or 404", async () => {
  const { id } = await createPlayableTrack(owner);
  await api.as(stranger).post(`/likes/tracks/${id}`);
  const { status, body } = await api.as(owner).get<User>(`/tracks/${id}/favoriters/${stranger.id}`);
  expect([status, body.id]).toEqual([200, stranger.id]);
  for (const path of [`/tracks/${id}/favoriters/${owner.id}`, `/tracks/1/favoriters/${stranger.id}`])
    expect((await api.as(owner).get(path)).status).toBe(404);
  expect((await api.as(owner).get(`/tracks/${id}/favoriters/x`)).status).toBe(404);
  await sql("update tracks set sharing = 'private' where id = $1", [id]);
  expect((await api.as(stranger).get(`/tracks/${id}/favoriters/${stranger.id}`)).status).toBe(404);
});
