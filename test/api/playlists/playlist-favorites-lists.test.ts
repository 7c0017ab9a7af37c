import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { User } from "../../../functions/api/users/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { allPages, listed, refusal, uniqueWord } from "../tracks/lists.support.ts";
import { createPlaylist, idsIn, named, playlistOf, tracksOf } from "./playlists.ts";

let owner: Person;
let stranger: Person;

beforeAll(async () => {
  [owner, stranger] = await Promise.all([createUser(), createUser()]);
});

describe.each([
  ["likes", "favoriters"],
  ["reposts", "reposters"],
])("%s of playlists", (kind, users) => {
  const pathOf = (id: number) => `/${kind}/playlists/${id}`;
  const pathsOf = ({ id }: Person) => [`/me/${kind}/playlists`, `/users/${id}/${kind}/playlists`];

  /** Playlists and a user who likes or reposts them in this order, which differs from their age. */
  async function createFavored(
    order: number[],
    fields: (at: number) => Record<string, unknown> = () => ({}),
  ) {
    const fan = await createUser();
    const made: number[] = [];
    for (const at of order.keys()) made.push((await createPlaylist(owner, fields(at))).id);
    const ids = order.map((at) => made[at] ?? 0);
    for (const id of ids) await api.as(fan).post(pathOf(id));
    return { fan, made, newestFirst: ids.reverse() };
  }

  describe("as a list", () => {
    test("have the last one first, page by page", async () => {
      const { fan, newestFirst } = await createFavored([2, 0, 4, 1, 3]);
      for (const path of pathsOf(fan)) {
        expect(await listed(fan, {}, path)).toEqual(newestFirst);
        expect(await listed(fan, { limit: 2, offset: 1 }, path)).toEqual(newestFirst.slice(1, 3));
        const pages = await allPages(fan, { limit: 2 }, { path });
        expect(pages).toEqual([newestFirst.slice(0, 2), newestFirst.slice(2, 4), newestFirst.slice(4)]);
      }
    });

    test("neither repeat nor omit items when some come and go between pages", async () => {
      const { fan, newestFirst } = await createFavored([0, 1, 2, 3, 4]);
      const { id: late } = await createPlaylist(owner);
      const between = async () => {
        await api.as(fan).post(pathOf(late));
        await api.as(fan).delete(pathOf(newestFirst[0] ?? 0));
      };
      const pages = await allPages(fan, { limit: 2 }, { path: `/me/${kind}/playlists`, between });
      expect(pages.flat()).toEqual(newestFirst);
    });

    test("accept the search and the filters of playlists", async () => {
      const word = uniqueWord();
      const { fan, made, newestFirst } = await createFavored([3, 1, 0, 2], (at) => ({
        title: at % 2 ? `Some ${word}` : "Another",
        description: at === 2 ? word : null,
      }));
      const [first = 0, second = 0, third = 0, fourth = 0] = made;
      const of = (...ids: number[]) => newestFirst.filter((id) => ids.includes(id));
      // Public, but neither liked nor reposted.
      await createPlaylist(owner, { title: word });
      for (const path of pathsOf(fan)) {
        const found = (parameters: Record<string, unknown>) => listed(fan, parameters, path);
        expect(await found({ ids: `${first},${third}` })).toEqual(of(first, third));
        // Best match first: the title outweighs the description.
        expect(await found({ q: word })).toEqual([...of(second, fourth), third]);
        expect(await found({ q: `"some ${word}"` })).toEqual(of(second, fourth));
        expect(await found({ q: word, urns: `soundcloud:playlists:${third}` })).toEqual([third]);
        expect(await found({ q: "!" })).toEqual([]);
        const pages = await allPages(fan, { q: word, limit: 1 }, { path });
        expect(pages.flat()).toEqual([...of(second, fourth), third]);
      }
    });

    test("include as much of the tracks as requested", async () => {
      const songs = await tracksOf(owner, 2);
      const { fan, newestFirst } = await createFavored([1, 0], () => ({ tracks: named(songs) }));
      for (const path of pathsOf(fan)) {
        const { body } = await api.as(fan).get<Playlist[]>(path);
        expect(body).toEqual(await Promise.all(newestFirst.map((id) => playlistOf(fan, id))));
        for (const [query, tracks] of [
          ["representation=id", named(songs)],
          ["show_tracks=false", undefined],
          ["representation=compact", undefined],
        ] as const) {
          const shown = await api.as(fan).get<Playlist[]>(`${path}?${query}`);
          expect([query, shown.body.map((one) => one.tracks)]).toEqual([query, [tracks, tracks]]);
        }
      }
    });

    test("show private playlists and tracks only to those who may see them (X8, X10)", async () => {
      const word = uniqueWord();
      const [open, closed] = [await createPlayableTrack(owner), await createPlayableTrack(owner)];
      const { fan, newestFirst } = await createFavored([0, 1, 2], () => ({
        title: word,
        tracks: named([open.id, closed.id]),
      }));
      await api.as(owner).post(pathOf(newestFirst[0] ?? 0));
      const [hidden = 0, ...shown] = newestFirst;
      await sql("update tracks set sharing = 'private' where id = $1", [closed.id]);
      const { body } = await api
        .as(owner)
        .put<Playlist>(`/playlists/${hidden}`, { json: { playlist: { sharing: "private" } } });
      const path = `/users/${fan.id}/${kind}/playlists`;
      for (const who of [fan, stranger, await createAppToken()]) {
        for (const parameters of [{}, { q: word }, { secret_token: body.secret_token }])
          expect(await listed(who, parameters, path)).toEqual(shown);
        expect(await listed(who, { ids: hidden }, path)).toEqual([]);
        expect(await allPages(who, { limit: 2 }, { path })).toEqual([shown]);
        const [one] = (await api.as(who).get<Playlist[]>(path)).body;
        expect([one && idsIn(one), one?.track_count, one?.duration]).toEqual([[open.id], 1, 10_000]);
      }
      for (const parameters of [{}, { q: word }])
        expect(await listed(owner, parameters, path)).toEqual(newestFirst);
      expect(await listed(owner, {}, `/me/${kind}/playlists`)).toEqual([hidden]);
    });

    test("omit playlists of a user who left, and are 404 for such a user", async () => {
      const { fan, newestFirst } = await createFavored([0, 1]);
      const gone = await createUser();
      const { id } = await createPlaylist(gone);
      await api.as(fan).post(pathOf(id));
      expect(await listed(fan, {}, `/me/${kind}/playlists`)).toEqual([id, ...newestFirst]);
      await sql("update users set disabled_at = now() where id = $1", [gone.id]);
      expect(await allPages(fan, { limit: 2 }, { path: `/me/${kind}/playlists` })).toEqual([newestFirst]);
      expect(await refusal(fan, "", `/users/${gone.id}/${kind}/playlists`)).toEqual([404, "User not found"]);
    });

    test("refuse other lists' cursors and invalid input", async () => {
      const { fan } = await createFavored([0, 1]);
      const path = `/me/${kind}/playlists`;
      const page = await api.as(fan).get<{ next_href: string }>(`${path}?limit=1&linked_partitioning=1`);
      const cursor = new URL(page.body.next_href).searchParams.get("cursor");
      for (const other of ["/me/playlists", `/users/${stranger.id}/${kind}/playlists`])
        expect((await refusal(fan, `limit=1&cursor=${cursor}`, other))[0]).toBe(400);
      expect((await refusal(fan, "limit=0", path))[0]).toBe(422);
      expect((await refusal(fan, "representation=full", path))[0]).toBe(422);
      expect((await api.as(await createAppToken()).get(path)).status).toBe(401);
    });
  });

  describe("as a list of users", () => {
    const idsOf = (users: User[]) => users.map(({ id }) => id);

    test("have the last one first, page by page, complete, with the search of users", async () => {
      const { id } = await createPlaylist(owner);
      const path = `/playlists/${id}/${users}`;
      const people = [await createUser(), await createUser(), await createUser()];
      for (const one of people) await api.as(one).post(pathOf(id));
      const expected = people.map((one) => one.id).reverse();
      expect(idsOf((await api.as(await createAppToken()).get<User[]>(path)).body)).toEqual(expected);
      expect(await allPages(stranger, { limit: 2 }, { path })).toEqual([
        expected.slice(0, 2),
        expected.slice(2),
      ]);
      const found = await api.as(owner).get<User[]>(`${path}?q=${people[0]?.username}`);
      expect(found.body.map((one) => [one.id, one.followers_count])).toEqual([[people[0]?.id, 0]]);
      expect(await listed(owner, { ids: `${people[1]?.id},${owner.id}` }, path)).toEqual([people[1]?.id]);
      expect((await refusal(owner, "limit=0", path))[0]).toBe(422);
      await sql("update users set disabled_at = now() where id = $1", [expected[0]]);
      expect(await allPages(stranger, { limit: 2 }, { path })).toEqual([expected.slice(1)]);
    });

    test("require a playlist that the caller may see (X10)", async () => {
      const { id, secret_token } = await createPlaylist(owner);
      await api.as(stranger).post(pathOf(id));
      await sql("update playlists set sharing = 'private' where id = $1", [id]);
      const path = `/playlists/${id}/${users}`;
      const reader = await createUser();
      expect(await refusal(reader, "", path)).toEqual([404, "Playlist not found"]);
      expect(await refusal(stranger, "", path)).toEqual([404, "Playlist not found"]);
      expect(await refusal(reader, "", `/playlists/1/${users}`)).toEqual([404, "Playlist not found"]);
      expect(await listed(owner, {}, path)).toEqual([stranger.id]);
      expect(await listed(reader, { secret_token }, path)).toEqual([stranger.id]);
    });
  });
});
