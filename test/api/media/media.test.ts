import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { TrackRow } from "../../../db/queries/track-rows.ts";
import { mediaUrl, waveformUrl } from "../../../functions/api/media/links.ts";
import { segmentCount } from "../../../functions/api/media/playlists.ts";
import { mediaToken, type Rendition } from "../../../functions/api/media/token.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import { api } from "../../support/api.ts";
import { invariantsHoldAfterwards } from "../../support/check-invariants.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createPlayableTrack, STORED_MEDIA, type StoredTrack } from "../../support/tracks.ts";
import { get, playable } from "./media-files.ts";

invariantsHoldAfterwards();

const keys = { SIGNING_KEYS: stack.secrets.SIGNING_KEYS, API_URL: stack.urls.api };

const mp3Segment = (all: Required<Streams>) => new URL("audio/0.mp3", all.hls_mp3_128_url).href;

let owner: Person;
let other: Person;
let open: StoredTrack;
let hidden: StoredTrack;
let links: Required<Streams>;
let hiddenLinks: Required<Streams>;
let waveform: string;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
  [open, hidden] = await Promise.all([playable(owner), playable(owner, { sharing: "private" })]);
  links = (await api.as(other).get<Required<Streams>>(`/tracks/${open.id}/streams`)).body;
  const secret = `?secret_token=${hidden.secret}`;
  hiddenLinks = (await api.as(other).get<Required<Streams>>(`/tracks/${hidden.id}/streams${secret}`)).body;
  waveform = (await api.as(other).get<Track>(`/tracks/${open.id}`)).body.waveform_url ?? "";
});

test("playlists name their segments, which the same link opens", async () => {
  const master = await get(links.hls_aac_160_url);
  expect(master.headers.get("Content-Type")).toBe("application/vnd.apple.mpegurl");
  expect(master.bytes.toString().match(/^\d+\/playlist\.m3u8$/gm)).toEqual([
    "160/playlist.m3u8",
    "96/playlist.m3u8",
  ]);
  for (const variant of ["160/playlist.m3u8", "96/playlist.m3u8"]) {
    const url = new URL(variant, links.hls_aac_160_url);
    const { bytes, headers } = await get(url.href);
    expect(headers.get("Cache-Control")).toBe("private, no-cache");
    const lines: string[] = bytes.toString().split("\n");
    expect(lines.filter((line) => line.endsWith(".m4s"))).toHaveLength(segmentCount(STORED_MEDIA.frames));
    const total = lines.reduce((sum, line) => sum + Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1] ?? 0), 0);
    expect(total).toBeCloseTo(STORED_MEDIA.frames / STORED_MEDIA.sample_rate, 6);
    expect((await get(new URL("init.mp4", url).href)).status).toBe(200);
    expect((await get(new URL("0.m4s", url).href)).status).toBe(200);
  }
});

test("the MP3's playlist names its segments, each of which the same link opens", async () => {
  const { bytes, headers } = await get(links.hls_mp3_128_url);
  expect(headers.get("Content-Type")).toBe("application/vnd.apple.mpegurl");
  expect(headers.get("Cache-Control")).toBe("private, no-cache");
  const uris = bytes.toString().match(/^audio\/\d+\.mp3$/gm);
  expect(uris).toEqual(["audio/0.mp3"]);
  expect((await get(mp3Segment(links))).status).toBe(200);
});

test("public media may be cached for half a minute; copies of private ones must be revalidated", async () => {
  const segment = (all: Required<Streams>) => all.hls_aac_96_url.replace("playlist.m3u8", "0.m4s");
  for (const url of [
    segment(links),
    mp3Segment(links),
    links.http_mp3_128_url,
    links.preview_mp3_128_url,
    waveform,
  ])
    expect((await get(url)).headers.get("Cache-Control")).toBe("public, max-age=30, must-revalidate");
  for (const url of [
    segment(hiddenLinks),
    mp3Segment(hiddenLinks),
    hiddenLinks.http_mp3_128_url,
    hiddenLinks.preview_mp3_128_url,
  ])
    expect((await get(url)).headers.get("Cache-Control")).toBe("private, no-cache");
  const { headers } = await api.as(other).get(`/tracks/${open.id}/streams`);
  expect(headers.get("Cache-Control")).toBe("private, no-store");
});

test("no copy outlives the URL that fetched it", async () => {
  const grant = {
    trackId: open.id,
    lease: open.prefix.split("/")[2] ?? "",
    rendition: "preview" as Rendition,
    listenerId: null,
    private: false,
    secretPrefix: "",
    openedBy: "",
  };
  const token = mediaToken(keys, { ...grant, expiresAtS: Math.ceil(Date.now() / 1000) + 10 });
  const { headers } = await get(`${stack.urls.api}/media/${token}/preview.mp3`);
  const [, maxAge] =
    /^public, max-age=(\d+), must-revalidate$/.exec(headers.get("Cache-Control") ?? "") ?? [];
  expect(Number(maxAge)).toBeGreaterThan(0);
  expect(Number(maxAge)).toBeLessThanOrEqual(10);
});

describe("a link opens its own rendition only (X15)", () => {
  const tokenOf = (url: string) => new URL(url).pathname.split("/")[2] ?? "";

  test("opens one rendition", async () => {
    const [mp3, preview, hls, hls96, hlsMp3] = [
      links.http_mp3_128_url,
      links.preview_mp3_128_url,
      links.hls_aac_160_url,
      links.hls_aac_96_url,
      links.hls_mp3_128_url,
    ].map(tokenOf);
    const paths = [
      `${preview}/audio.mp3`,
      `${preview}/master.m3u8`,
      `${preview}/96/0.m4s`,
      `${preview}/waveform.png`,
      `${mp3}/preview.mp3`,
      `${mp3}/96/playlist.m3u8`,
      `${hls}/audio.mp3`,
      `${hls96}/master.m3u8`,
      `${hls96}/160/playlist.m3u8`,
      `${hls96}/160/0.m4s`,
      `${hlsMp3}/audio.mp3`,
      `${hlsMp3}/master.m3u8`,
      `${hlsMp3}/96/0.m4s`,
      `${hlsMp3}/preview.mp3`,
      ...[mp3, preview, hls, hls96].flatMap((token) => [`${token}/audio.m3u8`, `${token}/audio/0.mp3`]),
      `${tokenOf(waveform)}/preview.mp3`,
      `${tokenOf(waveform)}/96/0.m4s`,
    ];
    for (const path of paths)
      expect([path, (await get(`${stack.urls.api}/media/${path}`)).status]).toEqual([path, 404]);
  });

  test("opens nothing once a byte of it changed", async () => {
    const token = tokenOf(links.preview_mp3_128_url);
    const flipped = [...token].map(
      (char, at) => token.slice(0, at) + (char === "A" ? "B" : "A") + token.slice(at + 1),
    );
    const hostile = [
      "",
      ".",
      "x",
      `${token}.`,
      `${token}A`,
      token.replace(".", ""),
      "%00",
      "%zz",
      "..%2f",
      "x".repeat(501),
    ];
    const statuses = await Promise.all(
      [...flipped.filter((one) => one !== token), ...hostile].map(
        async (one) => (await get(`${stack.urls.api}/media/${one}/preview.mp3`)).status,
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([404]));
  });

  test("works until it expires, not under another attempt's name, and never with another key", async () => {
    const grant = {
      trackId: open.id,
      lease: open.prefix.split("/")[2] ?? "",
      rendition: "preview" as Rendition,
      expiresAtS: Math.ceil(Date.now() / 1000) + 60,
      listenerId: null,
      private: false,
      secretPrefix: "",
      openedBy: "",
    };
    const status = async (changes: Partial<typeof grant>, by = keys) =>
      (await get(`${stack.urls.api}/media/${mediaToken(by, { ...grant, ...changes })}/preview.mp3`)).status;
    expect(await status({})).toBe(200);
    expect(await status({ expiresAtS: Math.floor(Date.now() / 1000) - 1 })).toBe(404);
    expect(await status({ lease: hidden.prefix.split("/")[2] ?? "" })).toBe(404);
    expect(await status({ trackId: hidden.id })).toBe(404);
    expect(await status({ trackId: hidden.id, lease: hidden.prefix.split("/")[2] ?? "" })).toBe(404);
    expect(await status({}, { ...keys, SIGNING_KEYS: randomBytes(32).toString("base64") })).toBe(404);
    expect(
      await status(
        {},
        { ...keys, SIGNING_KEYS: `${randomBytes(32).toString("base64")},${keys.SIGNING_KEYS}` },
      ),
    ).toBe(404);
  });

  test("lasts at least an hour and twice the track's length", () => {
    const listener = { userId: null };
    const lifetime = (duration_ms: number) => {
      const row = {
        id: 1,
        media_prefix: open.prefix,
        duration_ms,
        sharing: "public",
        secret_hash: "",
      } as TrackRow;
      const token = tokenOf(mediaUrl(keys, row, "mp3", listener, "audio.mp3"));
      const payload = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()) as number[];
      return Math.round((payload[3] ?? 0) - Date.now() / 1000);
    };
    expect(lifetime(10_000)).toBeCloseTo(3_600, -1);
    expect(lifetime(2 * 3_600_000)).toBeCloseTo(4 * 3_600, -1);
    expect(waveformUrl(keys, { state: "processing" } as TrackRow)).toBeNull();
  });
});

test("the waveform's JSON lies beside its image", async () => {
  const { headers, bytes } = await get(waveform.replace(/png$/, "json"));
  expect(headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(JSON.parse(bytes.toString())).toMatchObject({ width: 1800, height: 280 });
});

test("404: media that storage has lost, complete or in part (F22)", async () => {
  const lost = await createPlayableTrack(owner);
  const { body } = await api.as(owner).get<Required<Streams>>(`/tracks/${lost.id}/streams`);
  for (const headers of [{}, { Range: "bytes=0-99" }] as Record<string, string>[]) {
    expect((await get(body.preview_mp3_128_url, headers)).status).toBe(404);
    expect((await get(body.http_mp3_128_url, headers)).status).toBe(404);
    expect((await get(mp3Segment(body), headers)).status).toBe(404);
    expect((await get(body.hls_aac_96_url.replace("playlist.m3u8", "7.m4s"), headers)).status).toBe(404);
  }
});

test("405: other methods; a preflight allows the headers of players", async () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    const { status, headers } = await get(links.http_mp3_128_url, {}, method);
    expect([method, status, headers.get("Allow")]).toEqual([method, 405, "HEAD, GET, OPTIONS"]);
  }
  const preflight = await get(
    links.hls_aac_160_url,
    { Origin: "null", "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "range" },
    "OPTIONS",
  );
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Headers")?.toLowerCase()).toContain("range");
});
