import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import { BEAT, FINISHED, gateway, holdLease, LOST, report } from "../../encoding/leases.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createTrack, type StoredTrack, streamsOf } from "../../support/tracks.ts";
import { playsOf } from "../plays/plays.support.ts";
import { get } from "./media-files.ts";

const SEGMENT = randomBytes(400);

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
});

/** A track whose transcoder has stored three segments and reported two. */
async function createGrowing(columns: Record<string, unknown> = {}) {
  const track = await createTrack(owner, columns);
  const ticket = await holdLease(track);
  await storeSegments(track, ticket);
  expect(await report(track.id, ticket, "heartbeat", BEAT)).toBe(200);
  return { ...track, ticket };
}

async function storeSegments(track: StoredTrack, ticket: string) {
  for (const name of ["160", "96"].flatMap((rate) =>
    ["init.mp4", "0.m4s", "1.m4s"].map((n) => `${rate}/${n}`),
  ))
    await gateway(track.id, `outputs/hls/${name}`, ticket, { method: "PUT", body: SEGMENT });
}

const streams = (who: { token: string }, { id }: { id: number }, path = "streams") =>
  api.as(who).get<Streams & ErrorReply>(`/tracks/${id}/${path}`);

const playlistOf = async (links: Streams) => String((await get(links.hls_aac_96_url ?? "")).bytes);

const NOT_READY = "The track is not ready to play: its state is processing";

/** Ends what the stack's own jobs would otherwise try. */
const remove = ({ id }: StoredTrack) => sql("delete from tracks where id = $1", [id]);

test("everybody may hear a public track as soon as a segment is stored, by HLS alone", async () => {
  const track = await createTrack(owner);
  const ticket = await holdLease(track);
  await storeSegments(track, ticket);
  expect(await report(track.id, ticket, "heartbeat", { ...BEAT, segments_ready: 0 })).toBe(200);
  for (const path of ["streams", "stream", "preview"]) {
    const { status, body } = await streams(other, track, path);
    expect([path, status, body.errors[0]?.error_message]).toEqual([path, 404, NOT_READY]);
  }
  expect(await report(track.id, ticket, "heartbeat", BEAT)).toBe(200);
  for (const who of [owner, other, await createAppToken()])
    for (const path of ["streams", "stream"]) {
      const { status, body } = await streams(who, track, path);
      expect([status, Object.keys(body)]).toEqual([200, ["hls_aac_160_url", "hls_aac_96_url"]]);
    }
  expect((await streams(other, track, "preview")).body.errors[0]?.error_message).toBe(NOT_READY);
  const { body } = await api.as(owner).get<Track>(`/tracks/${track.id}`);
  expect(body).toMatchObject({
    state: "processing",
    duration: 0,
    encoding: { segments_ready: 2, progress: 0.5 },
  });
  await remove(track);
});

test("its playlists begin at the first sample, grow with the encode and may not be cached", async () => {
  const track = await createGrowing();
  const links = await streamsOf(other, track.id);
  const master = await get(links.hls_aac_160_url ?? "");
  expect(String(master.bytes)).toContain('BANDWIDTH=200000,AVERAGE-BANDWIDTH=168000,CODECS="mp4a.40.2"');
  const { bytes, headers } = await get(links.hls_aac_96_url ?? "");
  const first = String(bytes);
  expect(headers.get("Cache-Control")).toBe("private, no-cache");
  expect(first).toContain("#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-START:TIME-OFFSET=0,PRECISE=YES\n");
  expect(first.match(/^\d+\.m4s$/gm)).toEqual(["0.m4s", "1.m4s"]);
  for (const file of ["96/init.mp4", "96/0.m4s", "160/1.m4s"])
    expect((await get(new URL(file, links.hls_aac_160_url).href)).bytes.equals(SEGMENT)).toBe(true);
  await report(track.id, track.ticket, "heartbeat", { ...BEAT, segments_ready: 5 });
  const second = await playlistOf(links);
  expect(second.startsWith(first)).toBe(true);
  expect(second.match(/^\d+\.m4s$/gm)).toHaveLength(5);
  expect(second).not.toContain("ENDLIST");
  await remove(track);
});

test("the same addresses go on when the encode finishes, and the playlist ends", async () => {
  const track = await createGrowing();
  const links = await streamsOf(other, track.id);
  const growing = await playlistOf(links);
  expect((await get(new URL("96/0.m4s", links.hls_aac_160_url).href)).status).toBe(200);
  expect(await report(track.id, track.ticket, "finished", FINISHED)).toBe(200);
  const whole = await playlistOf(links);
  expect(whole.startsWith(growing.replace("TYPE:EVENT", "TYPE:VOD"))).toBe(true);
  expect(whole.endsWith("#EXT-X-ENDLIST\n")).toBe(true);
  expect((await get(new URL("96/0.m4s", links.hls_aac_160_url).href)).status).toBe(200);
  // The isolate still holds the right from before, when there was no MP3.
  const { hls_mp3_128_url = "", http_mp3_128_url = "" } = await streamsOf(other, track.id);
  expect((await get(hls_mp3_128_url)).status).toBe(200);
  expect((await get(http_mp3_128_url)).status).toBe(404);
  const { body } = await api.as(owner).get<Track>(`/tracks/${track.id}`);
  expect(body).toMatchObject({ state: "finished", encoding: { segments_ready: 4 } });
});

test("404: a failed encode ends its playlists; the next attempt has addresses of its own", async () => {
  const track = await createGrowing();
  const links = await streamsOf(other, track.id);
  expect(await report(track.id, track.ticket, "failed", LOST)).toBe(200);
  await sql("update encoding_jobs set next_run_at = 'infinity' where track_id = $1", [track.id]);
  expect((await streams(other, track)).body.errors[0]?.error_message).toBe(NOT_READY);
  const ends = async () => {
    expect((await get(links.hls_aac_160_url ?? "")).status).toBe(404);
    expect((await get(links.hls_aac_96_url ?? "")).status).toBe(404);
  };
  await ends();

  const next = await holdLease(track, { attempt: 2, lease: randomUUID() });
  await sql("update encoding_jobs set segments_ready = 0 where track_id = $1", [track.id]);
  expect((await streams(other, track)).status).toBe(404);
  expect(await report(track.id, next, "heartbeat", { ...BEAT, segments_ready: 1 })).toBe(200);
  const again = await streamsOf(other, track.id);
  expect((await playlistOf(again)).match(/^\d+\.m4s$/gm)).toEqual(["0.m4s"]);
  await storeSegments(track, next);
  const segment = ({ hls_aac_96_url = "" }: Streams) => get(hls_aac_96_url.replace("playlist.m3u8", "0.m4s"));
  expect([(await segment(again)).status, (await segment(links)).status]).toEqual([200, 404]);
  await ends();

  expect(await report(track.id, next, "failed", { ...LOST, retryable: false })).toBe(200);
  expect((await streams(other, track)).body.errors[0]?.error_message).toContain("its state is failed");
  expect((await get(again.hls_aac_160_url ?? "")).status).toBe(404);
  await remove(track);
});

describe("whoever may not hear the finished track may not hear it before", () => {
  test("blocked: 403 for everybody but the owner", async () => {
    for (const columns of [
      { streamable: false },
      { available_country_codes: ["AQ"] },
      { paywall: "blocked" },
    ]) {
      const track = await createGrowing(columns);
      expect([columns, (await streams(other, track)).status]).toEqual([columns, 403]);
      expect((await streams(owner, track)).status).toBe(200);
      await remove(track);
    }
  });

  test("a preview waits for the finished track", async () => {
    const track = await createGrowing({ paywall: "preview" });
    const { status, body } = await streams(other, track);
    expect([status, body.errors[0]?.error_message]).toEqual([404, NOT_READY]);
    expect((await streams(await createUser({ plan: "artist" }), track)).status).toBe(200);
    expect((await streams(owner, track)).status).toBe(200);
    await remove(track);
  });

  test("a private track needs its secret, and a new secret ends its addresses at once", async () => {
    const track = await createGrowing({ sharing: "private" });
    expect((await streams(other, track)).status).toBe(404);
    const secret = `streams?secret_token=${track.secret}`;
    expect((await streams(await createAppToken(), track, secret)).status).toBe(401);
    const { body: links } = await streams(other, track, secret);
    const segment = new URL("96/0.m4s", links.hls_aac_160_url).href;
    expect([(await get(links.hls_aac_96_url ?? "")).status, (await get(segment)).status]).toEqual([200, 200]);
    expect((await api.as(owner).put(`/tracks/${track.id}/secret-token`)).status).toBe(200);
    expect([(await get(links.hls_aac_96_url ?? "")).status, (await get(segment)).status]).toEqual([404, 404]);
    await remove(track);
  });

  test("a track that was closed while it grows is closed", async () => {
    const track = await createGrowing();
    const links = await streamsOf(other, track.id);
    const status = async () => (await get(links.hls_aac_96_url ?? "")).status;
    expect(await status()).toBe(200);
    const change = (fields: object) => api.as(owner).put(`/tracks/${track.id}`, { json: { track: fields } });
    await change({ streamable: false });
    expect(await status()).toBe(404);
    await change({ streamable: true });
    expect(await status()).toBe(200);
    await change({ sharing: "private" });
    expect(await status()).toBe(404);
    await api.as(owner).delete(`/tracks/${track.id}`);
    expect(await status()).toBe(404);
  });
});

test("whoever hears its first segment counts as a listener, and so does a reported play", async () => {
  const track = await createTrack(owner);
  const ticket = await holdLease(track);
  await storeSegments(track, ticket);
  const played = async (who: Person) => (await api.as(who).post(`/tracks/${track.id}/plays`)).status;
  expect(await played(other)).toBe(404);
  await report(track.id, ticket, "heartbeat", BEAT);
  expect(await played(other)).toBe(200);
  expect(await playsOf(owner, track.id)).toBe(1);
  const third = await createUser();
  const { hls_aac_96_url = "" } = await streamsOf(third, track.id);
  expect((await get(new URL("0.m4s", hls_aac_96_url).href)).status).toBe(200);
  await expect.poll(() => playsOf(owner, track.id)).toBe(2);
  await remove(track);
});

test("in the older dialect, which knows the MP3 only, the track is not ready", async () => {
  const track = await createGrowing();
  const reply = await fetch(`${stack.urls.api}/tracks/${track.id}/stream?oauth_token=${other.token}`, {
    redirect: "manual",
  });
  expect(reply.status).toBe(404);
  await remove(track);
});

test("the track's page plays what is ready; its other files wait", async () => {
  const track = await createGrowing();
  const { body } = await api.as(other).get<Track>(`/tracks/${track.id}`);
  expect(body).toMatchObject({ state: "processing", access: "playable", waveform_url: null });
  for (const url of [
    body.permalink_url,
    `${stack.urls.api}/player/?url=${encodeURIComponent(body.permalink_url)}`,
  ]) {
    // Both players get their sources as JSON, the site's in an attribute.
    const page = String((await get(url)).bytes).replaceAll("&quot;", '"');
    expect(page).toMatch(/"state":"growing"|data-state="growing"/);
    expect(page).toMatch(/"hls":"[^"]+master\.m3u8/);
    expect(page).not.toContain('"mp3":"');
    expect(page).toContain("still being encoded");
  }
  await remove(track);
});
