import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { allPages, listed, listHref, refusal, uniqueWord } from "../tracks/lists.support.ts";
import { createPlaylist, idsIn, named, tracksOf } from "./playlists.ts";

let ana: Person;
let bob: Person;
let songs: number[];

beforeAll(async () => {
  [ana, bob] = await Promise.all([createUser(), createUser()]);
  songs = await tracksOf(ana, 3);
});

async function several(
  owner: Person,
  count: number,
  fields: Record<string, unknown> = {},
): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) ids.unshift((await createPlaylist(owner, fields)).id);
  return ids;
}

describe("lists of playlists", () => {
  test("hold a user's newest first and page to the end without repeats", async () => {
    const eve = await createUser();
    const made = await several(eve, 5, { tracks: named(songs) });
    for (const path of [`/users/${eve.id}/playlists`, "/me/playlists"]) {
      expect(await listed(eve, {}, path)).toEqual(made);
      expect(await allPages(eve, { limit: 2 }, { path })).toEqual([
        made.slice(0, 2),
        made.slice(2, 4),
        made.slice(4),
      ]);
      expect(await listed(eve, { limit: 2, offset: 1 }, path)).toEqual(made.slice(1, 3));
      const between = () => createPlaylist(eve).then(({ id }) => api.as(eve).delete(`/playlists/${id}`));
      expect((await allPages(eve, { limit: 2 }, { path, between })).flat()).toEqual(made);
    }
  });

  test("user_id lists one owner's, as older clients ask, and no one else's", async () => {
    const eve = await createUser();
    const [open] = await several(eve, 1);
    const [closed] = await several(eve, 1, { sharing: "private" });
    expect(await listed(bob, { user_id: eve.id }, "/playlists")).toEqual([open]);
    expect(await listed(eve, { user_id: `soundcloud:users:${eve.id}` }, "/playlists")).toEqual([
      closed,
      open,
    ]);
    expect((await api.as(bob).get("/playlists?user_id=1")).status).toBe(404);
  });

  test("include as much of the tracks as requested", async () => {
    const eve = await createUser();
    await several(eve, 2, { tracks: named(songs) });
    const get = async (query: string) =>
      (await api.as(bob).get<Playlist[]>(`/users/${eve.id}/playlists?${query}`)).body;
    const whole = await get("");
    for (const playlist of whole)
      expect(playlist).toEqual((await api.as(bob).get<Playlist>(`/playlists/${playlist.id}`)).body);
    expect((await get("representation=id")).map(({ tracks }) => tracks)).toEqual([
      named(songs),
      named(songs),
    ]);
    for (const query of ["show_tracks=false", "representation=compact", "q=playlist"])
      expect([query, (await get(query)).map(({ tracks, track_count }) => [tracks, track_count])]).toEqual([
        query,
        [
          [undefined, 3],
          [undefined, 3],
        ],
      ]);
  });

  test("hold public ones and the reader's own, also by id or URN", async () => {
    const open = await createPlaylist(ana);
    const closed = await createPlaylist(ana, { sharing: "private" });
    const ids = [open.id, closed.id];
    expect(await listed(ana, { ids: ids.join() }, "/playlists")).toEqual([closed.id, open.id]);
    expect(await listed(bob, { urns: [open.urn, closed.urn].join() }, "/playlists")).toEqual([open.id]);
    expect((await listed(ana, { limit: 200 }, "/playlists")).filter((id) => ids.includes(id))).toEqual([
      closed.id,
      open.id,
    ]);
    expect((await listed(bob, { limit: 200 }, "/playlists")).filter((id) => ids.includes(id))).toEqual([
      open.id,
    ]);
  });

  test("end a page early before it exceeds a thousand tracks, and continue after it", async () => {
    const eve = await createUser();
    const rows = await sql<{ id: number }>(
      `with made as (insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
         select $1, 'Long', 'long-' || n, sha256(n::text::bytea), '', '', 'a.wav', 1 from generate_series(1, 450) n returning id)
       select id::float8 as id from made`,
      [eve.id],
    );
    const tracks = named(rows.map(({ id }) => id));
    const made = await several(eve, 5, { tracks });
    const pages = await allPages(bob, { limit: 50 }, { path: `/users/${eve.id}/playlists` });
    expect(pages).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
    expect(await listed(bob, { show_tracks: false }, `/users/${eve.id}/playlists`)).toEqual(made);
  });

  test.each([
    ["limit=0", 422, "limit"],
    ["representation=full", 422, "representation"],
    ["show_tracks=perhaps", 422, "show_tracks"],
    ["ids=x", 422, "ids"],
    ["cursor=x", 400, "cursor"],
  ])("refuse %s: %i", async (query, status, name) => {
    expect(await refusal(ana, query, "/playlists")).toEqual([status, expect.stringContaining(name)]);
  });

  test("refuse cursors of other users and other searches", async () => {
    const word = uniqueWord();
    await several(ana, 2, { title: word });
    const query = { q: word, limit: 1, linked_partitioning: 1 };
    const { body } = await api.as(ana).get<{ next_href: string }>(listHref(query, "/playlists"));
    const next = new URL(body.next_href);
    expect((await api.as(ana).get(body.next_href)).status).toBe(200);
    expect((await api.as(bob).get(body.next_href)).status).toBe(400);
    next.searchParams.set("q", "other");
    expect((await api.as(ana).get(next.href)).status).toBe(400);
  });

  test("are 404 for unknown users", async () => {
    expect((await api.as(ana).get("/users/1/playlists")).status).toBe(404);
  });
});

describe("searching playlists", () => {
  test("finds every word or prefix in any place, with titles first", async () => {
    const word = uniqueWord();
    const inTags = await createPlaylist(ana, { tag_list: `x ${word}` });
    const inDescription = await createPlaylist(ana, { description: `<p>of <b>${word}</b></p>` });
    const inTitle = await createPlaylist(bob, { title: `Ünder ${word} Sky` });
    const search = (q: string) => listed(ana, { q }, "/playlists");
    expect(await search(word)).toEqual([inTitle.id, inTags.id, inDescription.id]);
    expect(await search(`${word} under`)).toEqual([inTitle.id]);
    expect(await search(`sk ${word.slice(0, -2)}`)).toEqual([inTitle.id]);
    expect(await search(`"${word} sky"`)).toEqual([inTitle.id]);
    expect(await search(`"${word} sk"`)).toEqual([]);
    expect(await search(`${bob.username} ${word}`)).toEqual([inTitle.id]);
    expect(await listed(ana, { q: word }, `/users/${ana.id}/playlists`)).toEqual([
      inTags.id,
      inDescription.id,
    ]);
    for (const nothing of ["...", '"!"']) expect(await search(nothing)).toEqual([]);
  });

  test("follows changes of the playlist and of its owner's name", async () => {
    const [word, other, name] = [uniqueWord(), uniqueWord(), uniqueWord()];
    const eve = await createUser();
    const { id } = await createPlaylist(eve, { title: word });
    await api.as(eve).put(`/playlists/${id}`, { json: { playlist: { title: other } } });
    await sql("update users set username = $2 where id = $1", [eve.id, name]);
    const found = await Promise.all([word, other, name].map((q) => listed(bob, { q }, "/playlists")));
    expect(found).toEqual([[], [id], [id]]);
    await api.as(eve).delete(`/playlists/${id}`);
    expect(await listed(bob, { q: other }, "/playlists")).toEqual([]);
  });

  test("pages through the results once each, best first", async () => {
    const word = uniqueWord();
    const weak = await several(ana, 3, { description: word });
    const strong = await several(ana, 2, { title: word });
    const pages = await allPages(bob, { q: word, limit: 2 }, { path: "/playlists" });
    expect(pages).toEqual([strong, weak.slice(0, 2), weak.slice(2)]);
  });
});

describe("the tracks of a playlist", () => {
  test("come in its order, page by page, or by time on request", async () => {
    const order = [1, 0, 2].map((at) => songs[at] ?? 0);
    const { id } = await createPlaylist(ana, { tracks: named(order) });
    const path = `/playlists/${id}/tracks`;
    expect(await listed(bob, {}, path)).toEqual(order);
    expect(await allPages(bob, { limit: 1 }, { path })).toEqual(order.map((song) => [song]));
    expect(await listed(bob, { sort: "asc" }, path)).toEqual(songs);
    expect(await allPages(bob, { sort: "desc", limit: 2 }, { path })).toEqual([
      [songs[2], songs[1]],
      [songs[0]],
    ]);
    expect(await listed(bob, { limit: 2, offset: 1 }, path)).toEqual(order.slice(1));
  });

  test("accept the filters of every list of tracks", async () => {
    const word = uniqueWord();
    const one = await createPlayableTrack(ana, {
      title: `A ${word}`,
      genre: "Folk",
      bpm: 90,
      tag_list: '"two words"',
    });
    const two = await createPlayableTrack(bob, {
      genre: "Jazz",
      bpm: 120,
      license: "cc-by",
      paywall: "preview",
    });
    const own = await createPlayableTrack(ana, { sharing: "private", description: word });
    const { id } = await createPlaylist(ana, { tracks: named([one.id, two.id, own.id]) });
    const cases: [Record<string, unknown>, number[]][] = [
      [{ q: word }, [one.id, own.id]],
      [{ q: "..." }, []],
      [{ q: word, genres: "folk,rock" }, [one.id]],
      [{ tags: "two words" }, [one.id]],
      [{ "bpm[from]": 100 }, [two.id]],
      [{ "bpm[to]": 100 }, [one.id]],
      [{ license: "cc-by" }, [two.id]],
      [{ access: "preview" }, [two.id]],
      [{ access: "playable", "duration[to]": 10_000 }, [one.id, own.id]],
      [{ filter: "private" }, [own.id]],
      [{ filter: "public" }, [one.id, two.id]],
      [{ ids: `${two.id},${own.id},1` }, [two.id, own.id]],
      [{ "created_at[from]": "2100-01-01 00:00:00" }, []],
      [{ "created_at[to]": "2100-01-01 00:00:00" }, [one.id, two.id, own.id]],
    ];
    for (const [query, expected] of cases)
      expect([query, await listed(ana, query, `/playlists/${id}/tracks`)]).toEqual([query, expected]);
    expect(await refusal(ana, "limit=x", `/playlists/${id}/tracks`)).toEqual([
      422,
      expect.stringContaining("limit"),
    ]);
    expect(
      idsIn(
        await api
          .as(bob)
          .get<Playlist>(`/playlists/${id}`)
          .then(({ body }) => body),
      ),
    ).toEqual([one.id, two.id]);
  });
});
