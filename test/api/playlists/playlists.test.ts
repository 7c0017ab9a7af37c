import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { createPlaylist, idsIn, playlistOf, tracksOf } from "./playlists.ts";

let ana: Person;
let bob: Person;
let songs: number[];

beforeAll(async () => {
  [ana, bob] = await Promise.all([createUser(), createUser()]);
  songs = await tracksOf(ana, 4);
});

describe("a new playlist", () => {
  test("holds its tracks once each in the given order, complete, and has a Location", async () => {
    const [a = 0, b = 0] = songs;
    const json = {
      playlist: {
        title: "Évening: songs!",
        description: "<b>x</b><script>y</script>",
        tracks: [b, a, b].map((id) => ({ id })),
      },
    };
    const { status, headers, body } = await api.as(ana).post<Playlist>("/playlists", { json });
    expect([status, headers.get("Location")]).toEqual([201, body.uri]);
    expect(body).toMatchObject({
      kind: "playlist",
      urn: `soundcloud:playlists:${body.id}`,
      user_id: ana.id,
      title: "Évening: songs!",
      permalink: "evening-songs",
      permalink_url: `${stack.urls.api}/${ana.username}/sets/evening-songs`,
      uri: `${stack.urls.api}/playlists/${body.id}`,
      sharing: "public",
      license: "all-rights-reserved",
      description: "<b>x</b>",
      track_count: 2,
      duration: 20_000,
      streamable: true,
      downloadable: false,
      playlist_type: null,
      type: null,
      secret_token: expect.stringMatching(/^s-/),
    });
    expect(idsIn(body)).toEqual([b, a]);
    const alone = (await api.as(ana).get<Track>(`/tracks/${b}`)).body;
    expect(body.tracks?.[0]).toEqual(alone);
    expect(await playlistOf(ana, body.id)).toEqual(body);
  });

  test("shows others everything but the secret, with their own view of its tracks", async () => {
    const { id } = await createPlaylist(ana, { tracks: songs.map((song) => ({ id: song })) });
    const seen = await playlistOf(bob, id);
    expect([seen.secret_token, seen.secret_uri, seen.track_count]).toEqual([undefined, undefined, 4]);
    const alone = (await api.as(bob).get<Track>(`/tracks/${songs[0]}`)).body;
    expect(seen.tracks?.[0]).toEqual(alone);
    expect((await playlistOf(await createAppToken(), id)).track_count).toBe(4);
    expect((await api.get(`/playlists/${id}`)).status).toBe(401);
  });

  test("keeps every writable field and ignores the others (X17)", async () => {
    const label = await createUser();
    const fields = {
      title: "Everything",
      genre: "Folk",
      tag_list: 'one "two words"',
      license: "cc-by",
      label_id: label.id,
      label_name: "Label",
      release: "R1",
      release_day: 3,
      release_month: 2,
      release_year: 2021,
      ean: "4006381333931",
      playlist_type: "ep single",
      purchase_url: "https://shop.example/",
      purchase_title: "Buy",
      embeddable_by: "me",
    };
    const readOnly = {
      permalink: "mine",
      id: 1,
      user_id: bob.id,
      user: { id: bob.id },
      created_at: "2001/01/01 00:00:00 +0000",
      permalink_url: "https://x.example",
      secret_token: "s-mine",
      track_count: 9,
      duration: 9,
      streamable: false,
      likes_count: 9,
      kind: "track",
      uri: "x",
    };
    const made = await createPlaylist(ana, { ...fields, ...readOnly });
    expect(made).toMatchObject({
      ...fields,
      type: "ep single",
      track_count: 0,
      duration: 0,
      streamable: null,
      downloadable: null,
      tracks: [],
    });
    expect(made).toMatchObject({ user_id: ana.id, likes_count: 0, label: { id: label.id } });
    expect([made.id === 1, made.secret_token === "s-mine"]).toEqual([false, false]);
    await api.as(ana).put(`/playlists/${made.id}`, { json: { playlist: { ...readOnly, genre: "Jazz" } } });
    const { last_modified: _, ...after } = await playlistOf(ana, made.id);
    const { last_modified: __, ...before } = made;
    expect(after).toEqual({ ...before, genre: "Jazz" });
  });

  test("is accepted as a form, with tracks as repeated fields or a comma list", async () => {
    const [a = 0, b = 0, c = 0] = songs;
    const form = new URLSearchParams([
      ["playlist[title]", "Of a form"],
      ["playlist[set_type]", "album"],
      ["playlist[tracks][][id]", String(b)],
      ["playlist[tracks][][urn]", `soundcloud:tracks:${a}`],
      ["playlist[tracks][][id]", `${c},${a}`],
    ]);
    const { status, body } = await api.as(ana).post<Playlist>("/playlists", { raw: form });
    expect([status, body.title, body.playlist_type, idsIn(body)]).toEqual([
      201,
      "Of a form",
      "album",
      [b, a, c],
    ]);
  });

  test("is accepted as a form of PHP, which numbers the tracks and may send more of each than its id", async () => {
    const [a = 0, b = 0] = songs;
    const form = new URLSearchParams([
      ["playlist[title]", "Of PHP"],
      ["playlist[tracks][0][title]", "Sent back"],
      ["playlist[tracks][0][id]", String(b)],
      ["playlist[tracks][1][id]", String(a)],
      ["playlist[tracks][1][title]", "Too"],
    ]);
    const { status, body } = await api.as(ana).post<Playlist>("/playlists", { raw: form });
    expect([status, idsIn(body)]).toEqual([201, [b, a]]);
  });

  test("is accepted as XML", async () => {
    const raw = `<playlist><title>Of XML</title><tracks type="array"><track><id>${songs[1]}</id></track><track><id>${songs[0]}</id></track></tracks></playlist>`;
    const { status, body } = await api
      .as(ana)
      .post<Playlist>("/playlists", { raw, headers: { "Content-Type": "application/xml" } });
    expect([status, idsIn(body)]).toEqual([201, [songs[1], songs[0]]]);
  });

  test("has a permalink that is unique among its owner's", async () => {
    const titles = ["Twice", "Twice", "日本"];
    const made = await Promise.all(titles.map((title) => createPlaylist(bob, { title })));
    expect(new Set(made.map(({ permalink }) => permalink))).toEqual(new Set(["twice", "twice-1", "ri-ben"]));
  });
});

describe("a playlist is refused", () => {
  test.each<[string, unknown, number, string]>([
    ["without its wrapper", { title: "x" }, 400, "playlist: is missing"],
    ["without a title", { playlist: {} }, 422, "playlist[title]: is missing"],
    ["with an empty title", { playlist: { title: " " } }, 422, "playlist[title]"],
    [
      "of an unknown type",
      { playlist: { title: "x", playlist_type: "mixtape" } },
      422,
      "playlist[playlist_type]",
    ],
    ["with tracks that are no list", { playlist: { title: "x", tracks: 1 } }, 422, "playlist[tracks]"],
    [
      "with a track that names nothing",
      { playlist: { title: "x", tracks: [{}] } },
      422,
      "playlist[tracks][0]",
    ],
    [
      "with an id that is none",
      { playlist: { title: "x", tracks: [{ id: -1 }] } },
      422,
      "playlist[tracks][0][id]",
    ],
    [
      "with another kind's URN",
      { playlist: { title: "x", tracks: [{ urn: "soundcloud:users:1" }] } },
      422,
      "playlist[tracks][0][urn]",
    ],
    [
      "with a day that is not",
      { playlist: { title: "x", release_day: 30, release_month: 2 } },
      422,
      "playlist[release_day]",
    ],
    ["of a label that nobody is", { playlist: { title: "x", label_id: 1 } }, 422, "playlist[label_id]"],
  ])("%s", async (_, json, status, message) => {
    const reply = await api.as(ana).post<ErrorReply>("/playlists", { json });
    expect([reply.status, reply.body.errors[0]?.error_message]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test("from an app without a user", async () => {
    const json = { playlist: { title: "x" } };
    expect((await api.as(await createAppToken()).post("/playlists", { json })).status).toBe(401);
  });

  test("a missing track and an invisible one get the same refusal, and nothing changes (X9)", async () => {
    const hidden = await createPlayableTrack(bob, { sharing: "private" });
    const made = await createPlaylist(ana, { tracks: [{ id: songs[0] }] });
    const replies: unknown[] = [];
    for (const id of [1, hidden.id]) {
      const tracks = [{ id: songs[1] }, { id }];
      const asked = [
        api.as(ana).post<ErrorReply>("/playlists", { json: { playlist: { title: "Never", tracks } } }),
        api
          .as(ana)
          .put<ErrorReply>(`/playlists/${made.id}`, { json: { playlist: { title: "Changed", tracks } } }),
        api.as(ana).put<ErrorReply>(`/playlists/${made.id}/tracks`, { json: { tracks } }),
      ];
      const answered = await Promise.all(asked);
      replies.push(answered.map(({ status, body }) => [status, body.errors]));
    }
    expect(replies[0]).toEqual(replies[1]);
    expect(replies[0]).toEqual(
      Array(3).fill([
        422,
        [{ error_message: "playlist[tracks]: names a track that does not exist", field: "playlist[tracks]" }],
      ]),
    );
    expect(await playlistOf(ana, made.id)).toEqual(made);
    expect(await sql("select from playlists where user_id = $1 and title = 'Never'", [ana.id])).toEqual([]);
  });
});

test("a property of all its tracks is null if they differ", async () => {
  const loud = await createPlayableTrack(ana, { downloadable: true, streamable: false });
  const { id } = await createPlaylist(ana, { tracks: [{ id: songs[0] }, { id: loud.id }] });
  expect(await playlistOf(bob, id)).toMatchObject({ streamable: null, downloadable: null });
  await api.as(ana).delete(`/playlists/${id}/tracks/${songs[0]}`);
  expect(await playlistOf(bob, id)).toMatchObject({ streamable: false, downloadable: true, track_count: 1 });
});

test("`representation` and `show_tracks` choose how much of its tracks is included", async () => {
  const { id } = await createPlaylist(ana, { tracks: songs.map((song) => ({ id: song })) });
  const get = async (query: string) => (await api.as(bob).get<Playlist>(`/playlists/${id}?${query}`)).body;
  for (const query of ["representation=compact", "show_tracks=false", "representation=id&show_tracks=0"]) {
    const { tracks, track_count } = await get(query);
    expect([query, tracks, track_count]).toEqual([query, undefined, 4]);
  }
  expect((await get("representation=id")).tracks).toEqual(songs.map((song) => ({ id: song })));
  expect((await get("show_tracks=true")).tracks).toHaveLength(4);
  expect((await api.as(bob).get(`/playlists/${id}?representation=all`)).status).toBe(422);
});

test("is found by its id or its URN", async () => {
  const made = await createPlaylist(ana);
  expect(await playlistOf(ana, `soundcloud:playlists:${made.id}`)).toEqual(made);
  for (const id of ["1", "x", `soundcloud:tracks:${made.id}`])
    expect([id, (await api.as(ana).get(`/playlists/${id}`)).status]).toEqual([id, 404]);
});

test("a deleted track leaves every playlist, and a failed one is visible to its owner only", async () => {
  const [gone, failed] = [await createPlayableTrack(ana), await createTrack(ana, { state: "failed" })];
  const { id } = await createPlaylist(ana, { tracks: [{ id: gone.id }, { id: failed.id }] });
  await api.as(ana).delete(`/tracks/${gone.id}`);
  expect(idsIn(await playlistOf(ana, id))).toEqual([failed.id]);
  for (const query of ["", "?representation=id"])
    expect(await playlistOf(bob, id, query)).toMatchObject({ tracks: [], track_count: 0, duration: 0 });
});
