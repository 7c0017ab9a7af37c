import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlaylist, idsIn, named, playlistOf, tracksOf } from "./playlists.ts";

let ana: Person;
let bob: Person;
let songs: number[];

beforeAll(async () => {
  [ana, bob] = await Promise.all([createUser(), createUser()]);
  songs = await tracksOf(ana, 6);
});

const put = (id: number, playlist: unknown, headers: Record<string, string> = {}) =>
  api.as(ana).put<Playlist & ErrorReply>(`/playlists/${id}`, { json: { playlist }, headers });

const putTracks = (id: number, json: unknown, headers: Record<string, string> = {}) =>
  api.as(ana).put<Playlist & ErrorReply>(`/playlists/${id}/tracks`, { json, headers });

describe("PUT of a playlist", () => {
  test("adds: existing tracks keep their places, new ones follow in the given order", async () => {
    const [a = 0, b = 0, c = 0, d = 0] = songs;
    const made = await createPlaylist(ana, { tracks: named([b, a]) });
    const { status, body } = await put(made.id, { title: "Longer", tracks: named([d, a, c, d]) });
    expect([status, body.title, idsIn(body)]).toEqual([200, "Longer", [b, a, d, c]]);
    expect(await playlistOf(ana, made.id)).toEqual(body);
    expect(idsIn((await put(made.id, { tracks: [] })).body)).toEqual([b, a, d, c]);
    expect(idsIn((await put(made.id, { genre: "Folk" })).body)).toEqual([b, a, d, c]);
  });

  test("keeps omitted fields and clears those sent as null", async () => {
    const made = await createPlaylist(ana, {
      genre: "Folk",
      ean: "4006381333931",
      playlist_type: "album",
      description: "d",
    });
    const { body } = await put(made.id, { ean: null, playlist_type: null });
    const { last_modified: _, ...rest } = made;
    expect(body).toMatchObject({ ...rest, ean: null, playlist_type: null, type: null });
  });

  test("accepts a form", async () => {
    const { id } = await createPlaylist(ana, { genre: "Folk", tracks: named([songs[0] ?? 0]) });
    const form = { "playlist[genre]": "", "playlist[tracks][][id]": String(songs[1]) };
    const { body } = await api.as(ana).put<Playlist>(`/playlists/${id}`, { form });
    expect([body.genre, idsIn(body)]).toEqual([null, [songs[0], songs[1]]]);
    const raw = new URLSearchParams([2, 0].map((at) => ["tracks[][id]", String(songs[at])]));
    const replaced = await api.as(ana).put<Playlist>(`/playlists/${id}/tracks`, { raw });
    expect(idsIn(replaced.body)).toEqual([songs[2], songs[0]]);
  });

  test("by two clients at once loses nothing, and each keeps its order (X78)", async () => {
    const [first = 0, ...rest] = songs;
    for (let round = 0; round < 5; round++) {
      const { id } = await createPlaylist(ana, { tracks: named([first]) });
      const halves = [rest.slice(0, 3), rest.slice(3)];
      const replies = await Promise.all(halves.map((half) => put(id, { tracks: named(half) })));
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const trackIds = idsIn(await playlistOf(ana, id)) ?? [];
      expect([trackIds[0], new Set(trackIds)]).toEqual([first, new Set(songs)]);
      const whole = [halves.flat(), halves.toReversed().flat()].map((order) => [first, ...order]);
      expect(whole).toContainEqual(trackIds);
    }
  });

  test("accepts up to 500 tracks by any method", async () => {
    const { id } = await createPlaylist(ana, { tracks: named(songs) });
    const template = await sql<{ id: number }>(
      `insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
       select $1, 'Many', 'many-' || n, sha256(n::text::bytea), '', '', 'a.wav', 1 from generate_series(1, 500) n
       returning id::float8 as id`,
      [ana.id],
    );
    const many = template.map((row) => row.id);
    const refused = await put(id, { title: "Too long", tracks: named(many) });
    expect([refused.status, refused.body.errors[0]?.error_message]).toEqual([
      422,
      "playlist[tracks]: a playlist may hold 500 tracks at most",
    ]);
    expect(await playlistOf(ana, id)).toMatchObject({ title: "A playlist", track_count: 6 });
    const full = await put(id, { tracks: named(many.slice(0, 494)) });
    expect([full.status, full.body.track_count, full.body.tracks?.length]).toEqual([200, 500, 500]);
    expect((await put(id, { tracks: named(many.slice(494, 495)) })).status).toBe(422);
    expect((await put(id, { tracks: named(many.slice(0, 494)), title: "Full" })).status).toBe(200);
    const again = await playlistOf(bob, id);
    expect([again.title, idsIn(again)]).toEqual(["Full", [...songs, ...many.slice(0, 494)]]);
    expect((await putTracks(id, { tracks: named([...songs, ...many]) })).status).toBe(422);
    expect((await putTracks(id, { tracks: named(many) })).body.track_count).toBe(500);
  });
});

describe("the tracks of a playlist", () => {
  test("are replaced by a complete list in its order", async () => {
    const { id } = await createPlaylist(ana, { tracks: named(songs) });
    const wanted = [songs[4] ?? 0, songs[0] ?? 0];
    const { status, body } = await putTracks(id, { tracks: named(wanted) });
    expect([status, idsIn(body), body.track_count]).toEqual([200, wanted, 2]);
    expect(idsIn((await putTracks(id, { playlist: { tracks: named(songs) } })).body)).toEqual(songs);
    expect((await putTracks(id, { tracks: [] })).body).toMatchObject({ tracks: [], track_count: 0 });
    expect((await putTracks(id, {})).status).toBe(400);
  });

  test("are removed one by one", async () => {
    const { id } = await createPlaylist(ana, { tracks: named(songs.slice(0, 3)) });
    const remove = (track: unknown, who = ana) => api.as(who).delete(`/playlists/${id}/tracks/${track}`);
    const removed = await remove(songs[1]);
    expect([removed.status, removed.body]).toEqual([200, { status: "200 - OK" }]);
    expect(idsIn(await playlistOf(ana, id))).toEqual([songs[0], songs[2]]);
    expect((await remove(songs[1])).status).toBe(404);
    expect((await remove(1)).status).toBe(404);
    expect((await remove(`soundcloud:tracks:${songs[0]}`)).status).toBe(200);
    expect((await remove(songs[2], bob)).status).toBe(403);
    expect((await remove(1, bob)).status).toBe(404);
    expect(idsIn(await playlistOf(ana, id))).toEqual([songs[2]]);
  });
});

test("If-Match: the second of two clients that read the same version is refused", async () => {
  const { id } = await createPlaylist(ana, { tracks: named(songs.slice(0, 2)) });
  const { headers } = await api.as(ana).get(`/playlists/${id}`);
  const tag = headers.get("ETag") ?? "";
  expect((await api.as(ana).get(`/playlists/${id}`, { headers: { "If-None-Match": tag } })).status).toBe(304);
  const seen = { "If-Match": tag };
  expect((await putTracks(id, { tracks: named([songs[1] ?? 0]) }, seen)).status).toBe(200);
  expect((await put(id, { title: "Late" }, seen)).status).toBe(412);
  expect((await putTracks(id, { tracks: [] }, seen)).status).toBe(412);
  const late = await Promise.all([
    api.as(ana).delete(`/playlists/${id}/tracks/${songs[1]}`, { headers: seen }),
    api.as(ana).delete(`/playlists/${id}`, { headers: seen }),
  ]);
  expect(late.map(({ status }) => status)).toEqual([412, 412]);
  expect(await playlistOf(ana, id)).toMatchObject({ title: "A playlist", track_count: 1 });
});

describe("another user's playlist (X5)", () => {
  test.each([
    ["public", 403],
    ["private", 404],
  ])("that is %s cannot be changed: %i", async (sharing, status) => {
    const made = await createPlaylist(ana, { sharing, tracks: named(songs.slice(0, 2)) });
    const as = api.as(bob);
    const secret = `?secret_token=${made.secret_token}`;
    const replies = await Promise.all([
      as.put(`/playlists/${made.id}`, { json: { playlist: { title: "Mine" } } }),
      as.put(`/playlists/${made.id}${secret}`, { json: { playlist: { title: "Mine" } } }),
      as.put(`/playlists/${made.id}/tracks`, { json: { tracks: [] } }),
      as.delete(`/playlists/${made.id}/tracks/${songs[0]}`),
      as.get(`/playlists/${made.id}/secret-token`),
      as.put(`/playlists/${made.id}/secret-token`),
      as.delete(`/playlists/${made.id}${secret}`),
    ]);
    expect(replies.map((reply) => reply.status)).toEqual(Array(7).fill(status));
    expect(await playlistOf(ana, made.id)).toEqual(made);
  });
});

test("a deleted playlist is gone, but not its tracks", async () => {
  const { id } = await createPlaylist(ana, { tracks: named(songs.slice(0, 1)) });
  const { status, body } = await api.as(ana).delete(`/playlists/${id}`);
  expect([status, body]).toEqual([200, { status: "200 - OK" }]);
  expect((await api.as(ana).get(`/playlists/${id}`)).status).toBe(404);
  expect((await api.as(ana).delete(`/playlists/${id}`)).status).toBe(404);
  expect((await api.as(ana).get(`/tracks/${songs[0]}`)).status).toBe(200);
});

test("its owner's counts follow creation, sharing and deletion, also concurrently", async () => {
  const eve = await createUser();
  const counts = async () => {
    const [row] = await sql(
      `select u.playlist_count + coalesce(sum(d.delta) filter (where d.counter = 'playlist_count'), 0)::int as public,
         u.private_playlists_count + coalesce(sum(d.delta) filter (where d.counter = 'private_playlists_count'), 0)::int as private
       from users u left join counter_deltas d on d.kind = 'user' and d.subject_id = u.id where u.id = $1 group by u.id`,
      [eve.id],
    );
    return [Number(row?.public), Number(row?.private)];
  };
  const made = await Promise.all(
    ["public", "public", "private", "private", "private"].map((sharing) => createPlaylist(eve, { sharing })),
  );
  expect(await counts()).toEqual([2, 3]);
  const share = (at: number, sharing: string) =>
    api.as(eve).put(`/playlists/${made[at]?.id}`, { json: { playlist: { sharing } } });
  await Promise.all([
    share(0, "private"),
    share(2, "public"),
    share(2, "public"),
    share(3, "public"),
    share(4, "private"),
  ]);
  expect(await counts()).toEqual([3, 2]);
  await Promise.all(made.slice(0, 3).map(({ id }) => api.as(eve).delete(`/playlists/${id}`)));
  expect(await counts()).toEqual([1, 1]);
  await sql("select roll_up_counters(100000)");
  expect(await counts()).toEqual([1, 1]);
});

describe("a replaced list", () => {
  /** Reads the first two tracks, replaces the list, and reads on. */
  async function readOn(tracks: number[]): Promise<number[]> {
    const { id } = await createPlaylist(ana, { tracks: named(songs) });
    const page = await api.as(ana).get<Page>(`/playlists/${id}/tracks?limit=2&linked_partitioning=1`);
    expect(page.body.collection.map((track) => track.id)).toEqual(songs.slice(0, 2));
    expect(idsIn((await putTracks(id, { playlist: { tracks: named(tracks) } })).body)).toEqual(tracks);
    const next = await api.as(ana).get<Page>(page.body.next_href.replace("limit=2", "limit=50"));
    return next.body.collection.map((track) => track.id);
  }

  interface Page {
    collection: { id: number }[];
    next_href: string;
  }

  test("that lacks a track hides no other between two pages, and shows what was added", async () => {
    const [first = 0, ...others] = songs;
    expect(await readOn(others)).toEqual(songs.slice(2));
    expect(await readOn([...others.slice(1), first])).toContain(first);
    const added = (await tracksOf(ana, 1))[0] ?? 0;
    expect(await readOn([...others, added])).toEqual([...songs.slice(2), added]);
  });
});
