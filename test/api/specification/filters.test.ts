import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";
import { listed, uniqueWord } from "../tracks/lists.support.ts";

/** A parameter, a value that matches the track, one that does not, and an invalid one. */
type Row = [parameter: string, fits: string, other: string, malformed?: string];

const word = uniqueWord();
const ROWS: Row[] = [
  ["q", word.slice(0, 8), `${word}x`, "x".repeat(201)],
  ["tags", `nothing,${word} tag`, "nothing"],
  ["filter", "public", "private", "some"],
  ["filter", "all", "private"],
  ["license", "cc-by", "cc-by-nd", "cc"],
  ["bpm[from]", "120", "120.5", "fast"],
  ["bpm[to]", "120", "119", "fast"],
  ["duration[from]", "10000", "10001", "long"],
  ["duration[to]", "10000", "9999", "long"],
  ["created_at[from]", "2025-03-04 05:06:07", "2025-03-04 05:06:08", "2025-02-30 00:00:00"],
  ["created_at[to]", "2025-03-04 05:06:07", "2025-03-04 05:06:06", "now"],
  ["ids", "", "1", "x"],
  ["genres", `nothing,${word} genre`, "nothing"],
  ["types", "live,remix", "remix", "song"],
  ["access", "playable,preview", "blocked", "free"],
];

/** 41 bits of milliseconds since 2024 above 12 bits of sequence. */
const idAt = (time: string): number => (Date.parse(`${time}Z`) - Date.UTC(2024, 0, 1)) * 4096;

let ana: Person;
let id: number;

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
  const track = await createPlayableTrack(ana, {
    title: `A ${word} song`,
    genre: `${word} genre`,
    tag_list: `"${word} tag"`,
    license: "cc-by",
    track_type: "live",
    bpm: 120,
  });
  id = idAt("2025-03-04T05:06:07.999") + (track.id % 4096);
  // Sets the id of a track created in that second.
  await sql("delete from encoding_jobs where track_id = $1", [track.id]);
  await sql("update tracks set id = $2 where id = $1", [track.id, id]);
  await sql("delete from track_documents where id = $1", [track.id]);
  await sql("update posts set subject_id = $2 where subject_id = $1", [track.id, id]);
  await sql("select index_track(t) from tracks t where id = $1", [id]);
});

describe("track filters", () => {
  test.for(ROWS)("%s lists matches", async ([parameter, fits]) => {
    const query = { q: word, [parameter]: fits || String(id) };
    expect(await listed(ana, query)).toEqual([id]);
  });

  test.for(ROWS)("%s omits the others", async ([parameter, , other]) => {
    expect(await listed(ana, { q: word, [parameter]: other })).toEqual([]);
  });

  test.for(ROWS.filter(([, , , malformed]) => malformed !== undefined))(
    "%s refuses invalid values",
    async ([parameter, , , malformed = ""]) => {
      const query = new URLSearchParams({ [parameter]: malformed });
      const { status, body } = await api.as(ana).get<{ errors: object[] }>(`/tracks?${query}`);
      expect([status, JSON.stringify(body.errors)]).toEqual([422, expect.stringContaining(parameter)]);
    },
  );

  test("all of them combine", async () => {
    const all = Object.fromEntries(ROWS.map(([parameter, fits]) => [parameter, fits || String(id)]));
    expect(await listed(ana, all)).toEqual([id]);
  });
});

describe("playlist filters", () => {
  let set: Playlist;

  beforeAll(async () => {
    set = await createPlaylist(ana, { title: `A ${word} set`, tracks: named([id]) });
  });

  test.each([
    ["", [expect.objectContaining({ id: expect.any(Number), kind: "track" })]],
    ["representation=compact", undefined],
    ["representation=id", [{ id: expect.any(Number) }]],
    ["show_tracks=false", undefined],
    ["show_tracks=true", [expect.objectContaining({ kind: "track" })]],
  ])("%j changes the listing of tracks as specified", async (query, tracks) => {
    const { body } = await api.as(ana).get<Playlist>(`/playlists/${set.id}?${query}`);
    expect(body.tracks).toEqual(tracks);
    const { body: list } = await api.as(ana).get<Playlist[]>(`/me/playlists?${query}`);
    expect(list.map((each) => each.tracks)).toEqual([tracks]);
  });

  test("q finds and returns compact representations only", async () => {
    const { body } = await api.as(ana).get<Playlist[]>(`/playlists?q=${word}`);
    expect(body.map((each) => [each.id, each.tracks])).toEqual([[set.id, undefined]]);
  });
});

test("users are found by q", async () => {
  const { body } = await api.as(ana).get<{ id: number }[]>(`/users?q=${ana.username}`);
  expect(body.map((each) => each.id)).toEqual([ana.id]);
});
