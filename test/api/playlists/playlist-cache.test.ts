import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import type { Asking } from "../tracks/lists.support.ts";
import { createPlaylist, idsIn, named, playlistOf, tracksOf } from "./playlists.ts";

let owner: Person;
let reader: Person;
let songs: [number, number, number];

beforeAll(async () => {
  [owner, reader] = await Promise.all([createUser(), createUser()]);
  const [a = 0, b = 0, c = 0] = await tracksOf(owner, 3);
  songs = [a, b, c];
});

const alone = async (who: Asking, id: number) => (await api.as(who).get<Track>(`/tracks/${id}`)).body;

const fromAnywhere = async (who: Asking, id: number) => {
  const listed = (await api.as(who).get<Track[]>(`/playlists/${id}/tracks`)).body;
  return { whole: await playlistOf(who, id), listed };
};

test("a cached playlist shows its tracks in their current form to each viewer", async () => {
  const [a, b, c] = songs;
  const { id } = await createPlaylist(owner, { tracks: named([a, b, c]) });
  const app = await createAppToken();
  const playing =
    "insert into counter_deltas (kind, subject_id, counter, delta) values ($2, $1, 'playback_count', 7)";
  const entry = `update playlist_tracks set position = position + $2 where playlist_id = ${id} and track_id = $1`;
  const changes: [change: string, values: unknown[], order: number[]][] = [
    ["select $1::bigint", [a], [a, b, c]],
    [playing, [b, "track"], [a, b, c]],
    ["insert into favorites (track_id, user_id) values ($1, $2)", [c, reader.id], [a, b, c]],
    [entry, [a, 100], [b, c, a]],
    ["update tracks set sharing = 'private' where id = $1", [c], [b, a]],
    ["update tracks set sharing = 'public' where id = $1", [c], [b, c, a]],
    ["update tracks set streamable = false where id = $1", [b], [b, c, a]],
    ["update tracks set paywall = 'preview' where id = $1", [c], [b, c, a]],
    ["delete from favorites where track_id = $1 and user_id = $2", [c, reader.id], [b, c, a]],
    ["update users set username = 'Renamed' where id = $1", [owner.id], [b, c, a]],
  ];
  for (const [change, values, order] of changes) {
    await sql(change, values);
    for (const who of [reader, reader, app, reader]) {
      const { whole, listed } = await fromAnywhere(who, id);
      expect([idsIn(whole), whole.track_count], change).toEqual([order, order.length]);
      expect(whole.tracks, change).toEqual(await Promise.all(order.map((song) => alone(who, song))));
      expect(listed, change).toEqual(whole.tracks);
    }
  }
  await sql("update users set disabled_at = now() where id = $1", [owner.id]);
  expect((await api.as(reader).get(`/playlists/${id}`)).status).toBe(404);
  await sql("update users set disabled_at = null where id = $1", [owner.id]);
});

// A sweep for another file may add up counters in between, which renews the rows' versions and so the ETag.
const AGAIN = { retry: 2 };

test("a playlist's ETag matches while all is the same to the viewer, cached or not", AGAIN, async () => {
  const [a, b] = songs;
  const { id, permalink_url } = await createPlaylist(owner, { tracks: named([a, b]) });
  const tagOf = async (who: Asking, path = `/playlists/${id}`) =>
    (await api.as(who).get<Playlist>(path)).headers.get("ETag");
  const tags = [
    await tagOf(reader),
    await tagOf(reader),
    await tagOf(reader, `/resolve?url=${permalink_url}`),
  ];
  expect(new Set(tags).size).toBe(1);
  const [tag = ""] = tags;
  const asked = () => api.as(reader).get(`/playlists/${id}`, { headers: { "If-None-Match": tag ?? "" } });
  expect((await asked()).status).toBe(304);
  expect(await tagOf(owner)).not.toBe(tag);
  await sql("insert into favorites (track_id, user_id) values ($1, $2)", [b, reader.id]);
  expect((await asked()).status).toBe(200);
  await sql("delete from favorites where track_id = $1 and user_id = $2", [b, reader.id]);
  expect((await asked()).status).toBe(304);
});
