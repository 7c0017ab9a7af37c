import { beforeAll, expect, test } from "vitest";
import type { LoudnessRow } from "../../../db/queries/track-rows.ts";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import {
  createPlayableTrack,
  createTrack,
  shortWav,
  uploadTrack,
  waitForEncode,
} from "../../support/tracks.ts";
import { readXml } from "../../support/xml.ts";
import { createPlaylist, named, playlistOf } from "../playlists/playlists.ts";

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
});

/** A finished track whose transcoder reported this. */
async function measured(loudness: LoudnessRow | undefined, ms = 10_000, columns = {}): Promise<number> {
  const { id } = await createPlayableTrack(owner, columns);
  await sql("update tracks set duration_ms = $2, media = media || $3 where id = $1", [
    id,
    ms,
    JSON.stringify({ loudness }),
  ]);
  return id;
}

const reported = (integrated_lufs: number | null, true_peak_dbtp: number | null = -1): LoudnessRow => ({
  integrated_lufs,
  range_lu: 5.5,
  true_peak_dbtp,
});

const trackOf = async (who: Person, id: number) => (await api.as(who).get<Track>(`/tracks/${id}`)).body;

test("a track tells its measured loudness to everybody, alone, in lists and in XML", async () => {
  const id = await measured(reported(-14.3, 0.2));
  const loudness = { integrated: -14.3, range: 5.5, true_peak: 0.2 };
  for (const who of [owner, other]) {
    expect((await trackOf(who, id)).loudness).toEqual(loudness);
    const { body } = await api.as(who).get<Track[]>(`/tracks?ids=${id}`);
    expect(body.map((track) => track.loudness)).toEqual([loudness]);
    const xml = await fetch(`${stack.urls.api}/tracks/${id}.xml`, {
      headers: { Authorization: `OAuth ${who.token}` },
    });
    expect(readXml(await xml.text())).toMatchObject({ loudness });
  }
});

test("an upload's loudness is null until it is encoded, then that of its audio", async () => {
  const { id, loudness } = await uploadTrack(owner, shortWav(2));
  expect(loudness).toBeNull();
  const found = (await waitForEncode(owner, id)).loudness;
  expect(found).toEqual((await trackOf(other, id)).loudness);
  expect(found?.integrated).toBeGreaterThan(-40);
  expect(found?.integrated).toBeLessThan(0);
  expect(found?.range).toBeGreaterThanOrEqual(0);
  expect(found?.true_peak).toBeLessThan(3);
});

test("silence has neither loudness nor a range", async () => {
  const id = await measured({ integrated_lufs: null, range_lu: null, true_peak_dbtp: null });
  expect((await trackOf(other, id)).loudness).toEqual({ integrated: null, range: null, true_peak: null });
});

test("a playlist has the mean energy of its tracks by duration, and their highest peak", async () => {
  const songs = [await measured(reported(-10, -3.5)), await measured(reported(-20, -0.4), 30_000)];
  // 10 s of a tenth and 30 s of a hundredth are 0.0325 on average.
  const loudness = { integrated: -14.9, range: null, true_peak: -0.4 };
  const made = await createPlaylist(owner, { tracks: named(songs) });
  expect(made.loudness).toEqual(loudness);
  for (const query of ["", "?show_tracks=false", "?representation=id", "?access=playable"])
    expect([query, (await playlistOf(other, made.id, query)).loudness]).toEqual([query, loudness]);
  const { body } = await api.as(other).get<Playlist[]>(`/users/${owner.id}/playlists?limit=1`);
  expect(body.map((playlist) => playlist.loudness)).toEqual([loudness]);
});

test("unmeasured, silent and invisible tracks do not count in a playlist's loudness", async () => {
  const quiet = await measured(reported(-30, -20));
  const hidden = await measured(reported(-5, 1), 10_000, { sharing: "private" });
  const silent = await measured({ integrated_lufs: null, range_lu: null, true_peak_dbtp: null });
  const unmeasured = [await measured(undefined), (await createTrack(owner)).id];
  const { id } = await createPlaylist(owner, { tracks: named([...unmeasured, silent, quiet, hidden]) });
  expect((await playlistOf(other, id)).loudness).toEqual({ integrated: -30, range: null, true_peak: -20 });
  expect((await playlistOf(owner, id)).loudness).toEqual({ integrated: -8, range: null, true_peak: 1 });
  expect((await playlistOf(owner, id, "?show_tracks=false")).loudness?.integrated).toBe(-8);
});

test("a playlist without a measured track has no loudness", async () => {
  const tracks = named([await measured(undefined)]);
  for (const fields of [{ tracks }, {}]) {
    const { id, loudness } = await createPlaylist(owner, fields);
    expect([loudness, (await playlistOf(other, id)).loudness]).toEqual([null, null]);
  }
});

test("a track that is measured again is sent anew to readers that held it", async () => {
  const id = await measured(reported(-12));
  const { id: set } = await createPlaylist(owner, { tracks: named([id]) });
  const seen = async () => [
    (await trackOf(other, id)).loudness?.integrated,
    (await playlistOf(other, set)).loudness?.integrated,
  ];
  expect(await seen()).toEqual([-12, -12]);
  await sql(
    "update tracks set media = jsonb_set(media, '{loudness,integrated_lufs}', '-9.5') where id = $1",
    [id],
  );
  expect(await seen()).toEqual([-9.5, -9.5]);
});
