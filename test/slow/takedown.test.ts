import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import type { Streams } from "../../functions/api/tracks/streams.ts";
import { get, playable } from "../api/media/media-files.ts";
import { api } from "../support/api.ts";
import { operate } from "../support/operate.ts";
import { createUser, type Person } from "../support/people.ts";
import { startSecondWorker } from "../support/second-worker.ts";
import { asFront, sql } from "../support/stack.ts";
import { createPlayableTrack, putMedia, STORED_MEDIA, type StoredTrack } from "../support/tracks.ts";

/** Milliseconds after which nothing may be served any more, caches included. */
const MINUTE = 60_000;

/** Requests at the Worker's own port with a country header, which the front removes. */
const from = (country: string, url: string) => asFront(new URL(url).pathname, { "CF-IPCountry": country });

let listener: Person;

beforeAll(async () => {
  listener = await createUser();
});

const change = (track: Record<string, unknown>) => async (owner: Person, id: number) =>
  expect((await api.as(owner).put(`/tracks/${id}`, { json: { track } })).status).toBe(200);

const BECAUSE = ["--reason", "A claim by its author"];

/** `seen`: the track's picture stays visible although nobody may play it. */
const WAYS: [way: string, takeDown: (owner: Person, id: number) => Promise<unknown>, seen: boolean][] = [
  ["streamable: false", change({ streamable: false }), true],
  [
    "a disabled owner",
    (owner) => sql("update users set disabled_at = now() where id = $1", [owner.id]),
    false,
  ],
  ["sharing: private", change({ sharing: "private" }), false],
  [
    "an operator's takedown",
    (_owner, id) => operate("track take-down", "--track", String(id), ...BECAUSE),
    false,
  ],
  ["a suspended owner", (owner) => operate("user suspend", "--user", owner.username, ...BECAUSE), false],
  ["deletion", async (owner, id) => api.as(owner).delete(`/tracks/${id}`), false],
  ["a block of the listener's country", change({ available_country_codes: ["FR"] }), true],
  ["a paywall", change({ paywall: "blocked" }), true],
];

/** Every URL behind a track's links: playlists, of which some always query, and files, which a cached decision opens. */
async function addressesOf(who: Person, id: number, secret = "") {
  const query = secret && `?secret_token=${secret}`;
  const { body } = await api.as(who).get<Required<Streams>>(`/tracks/${id}/streams${query}`);
  const { waveform_url } = (await api.as(who).get<Track>(`/tracks/${id}${query}`)).body;
  const within = (path: string) => new URL(path, body.hls_aac_160_url).href;
  return {
    playlists: [
      body.hls_aac_160_url,
      body.hls_aac_96_url,
      within("160/playlist.m3u8"),
      within("96/playlist.m3u8"),
      body.hls_mp3_128_url,
    ],
    files: [
      within("160/init.mp4"),
      within("160/0.m4s"),
      within("96/0.m4s"),
      body.http_mp3_128_url,
      body.preview_mp3_128_url,
      new URL("audio/0.mp3", body.hls_mp3_128_url).href,
    ],
    waveforms: [waveform_url ?? "", (waveform_url ?? "").replace(/png$/, "json")],
  };
}

type Addresses = Awaited<ReturnType<typeof addressesOf>>;

type Asked = [method: string, headers: Record<string, string>];
const ASKED: Asked[] = [
  ["GET", {}],
  ["HEAD", {}],
  ["GET", { Range: "bytes=0-9" }],
];

/** Statuses of each URL for each kind of request. */
async function statuses(urls: string[], at = (url: string) => url): Promise<Set<number>> {
  const all = urls.flatMap((url) =>
    ASKED.map(async ([method, headers]) => (await get(at(url), headers, method)).status),
  );
  return new Set(await Promise.all(all));
}

/** Time when the last request that was served was sent, and time when the last cached copy expires. */
async function untilClosed(urls: string[]) {
  let [lastServedAt, lastStaleAt] = [0, 0];
  for (const endAt = Date.now() + MINUTE; Date.now() < endAt; ) {
    const sentAt = Date.now();
    const replies = await Promise.all(urls.map((url) => get(url)));
    if (replies.every(({ status }) => status === 404)) break;
    for (const { headers } of replies.filter(({ status }) => status === 200)) {
      lastServedAt = sentAt;
      lastStaleAt = Math.max(lastStaleAt, lastServedAt + maxAgeOf(headers) * 1000);
    }
    await new Promise((wake) => setTimeout(wake, 2_000));
  }
  return { lastServedAt, lastStaleAt };
}

const maxAgeOf = (headers: Headers) =>
  Number(/max-age=(\d+)/.exec(headers.get("Cache-Control") ?? "")?.[1] ?? 0);

describe("nothing is served a minute after a takedown", () => {
  const addresses = new Map<string, Addresses>();
  const closing = new Map<string, ReturnType<typeof untilClosed>>();
  /** Requested only after the takedown. */
  let fresh: Awaited<ReturnType<typeof startSecondWorker>>;
  let takenDownAt = 0;
  let heard: Promise<number[]>;
  const LONG = 48 * 2 ** 20;

  beforeAll(async () => {
    fresh = await startSecondWorker();
    const owners = await Promise.all(WAYS.map(() => createUser()));
    const tracks = await Promise.all(owners.map((owner) => playable(owner)));
    const [long, open] = [
      await createLongTrack(owners[0] as Person),
      await createLongTrack(await createUser()),
    ];
    heard = Promise.all(
      [long, open].map(async ({ id }) => hearSlowly((await addressesOf(listener, id)).files[3] ?? "")),
    );
    for (const [at, [way]] of WAYS.entries()) {
      const found = await addressesOf(listener, tracks[at]?.id ?? 0);
      addresses.set(way, found);
      const served = await statuses([...found.playlists, ...found.files, ...found.waveforms]);
      expect([way, served]).toEqual([way, new Set([200, 206])]);
    }
    await Promise.all([
      ...WAYS.map(([, takeDown], at) => takeDown(owners[at] as Person, tracks[at]?.id ?? 0)),
      change({ streamable: false })(owners[0] as Person, long.id),
    ]);
    takenDownAt = Date.now();
    for (const [way, , seen] of WAYS) {
      const { files, waveforms } = addresses.get(way) as Addresses;
      closing.set(way, untilClosed(seen ? files : [...files, ...waveforms]));
    }
  });

  afterAll(() => fresh.stop());

  test.each(WAYS)("by %s, in a fresh isolate at once", async (way, _takeDown, seen) => {
    const { playlists, files, waveforms } = addresses.get(way) as Addresses;
    expect(await statuses([...playlists, ...files], fresh.at)).toEqual(new Set([404]));
    expect(await statuses(waveforms, fresh.at)).toEqual(new Set(seen ? [200, 206] : [404]));
  });

  test.each(WAYS)("by %s, in an isolate that served it a moment before", async (way, _takeDown, seen) => {
    const { playlists, files, waveforms } = addresses.get(way) as Addresses;
    const { lastServedAt, lastStaleAt } = (await closing.get(way)) ?? { lastServedAt: 0, lastStaleAt: 0 };
    expect(lastServedAt - takenDownAt).toBeLessThan(30_000);
    expect(lastStaleAt - takenDownAt).toBeLessThan(MINUTE);
    expect(await statuses([...playlists, ...files])).toEqual(new Set([404]));
    expect(await statuses(waveforms)).toEqual(new Set(seen ? [200, 206] : [404]));
  });

  test("to a listener who is still reading an MP3 requested before", async () => {
    const [takenDown, open] = await heard;
    expect(takenDown).toBeLessThan(LONG);
    expect(open).toBe(LONG);
  });

  async function createLongTrack(owner: Person): Promise<StoredTrack> {
    const track = await createPlayableTrack(owner);
    const part = randomBytes(8 * 2 ** 20);
    const media = structuredClone(STORED_MEDIA);
    media.renditions.mp3_128 = { bytes: LONG, part_bytes: part.length };
    await sql("update tracks set media = $2 where id = $1", [track.id, JSON.stringify(media)]);
    for (let n = 0; n < LONG / part.length; n++) await putMedia(`${track.prefix}mp3/${n}.mp3`, part);
    return track;
  }

  /** Reads a few bytes, pauses for almost a minute, then reads the rest. */
  async function hearSlowly(url: string): Promise<number> {
    const { body } = await fetch(url);
    const reader = body?.getReader();
    let got = (await reader?.read())?.value?.length ?? 0;
    await new Promise((wake) => setTimeout(wake, MINUTE - 3_000));
    try {
      for (;;) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) return got;
        got += chunk.value.length;
      }
    } catch {
      return got;
    }
  }
});

test("caches keep media for at most thirty seconds, never beyond the URL's expiry", async () => {
  const owner = await createUser();
  const { files, waveforms } = await addressesOf(listener, (await playable(owner)).id);
  for (const url of [...files, ...waveforms])
    expect((await get(url)).headers.get("Cache-Control")).toBe("public, max-age=30, must-revalidate");
});

test("shared caches keep nothing that depends on the listener", async () => {
  const track = await playable(await createUser(), { paywall: "preview" });
  const { body } = await api.as(listener).get<Streams>(`/tracks/${track.id}/streams`);
  const { status, headers } = await get(body.preview_mp3_128_url ?? "");
  expect([status, headers.get("Cache-Control")]).toEqual([200, "private, max-age=30, must-revalidate"]);
});

test("a region block depends on each listener's country, even for a URL just served elsewhere", async () => {
  const track = await playable(await createUser());
  const { body } = await api.as(listener).get<Required<Streams>>(`/tracks/${track.id}/streams`);
  await sql("update tracks set available_country_codes = $2 where id = $1", [track.id, ["DE"]]);
  const segment = body.hls_aac_96_url.replace("playlist.m3u8", "0.m4s");
  for (const [country, expected] of [
    ["DE", 200],
    ["FR", 404],
    ["DE", 200],
    ["FR", 404],
  ] as const)
    expect([country, (await from(country, segment)).status]).toEqual([country, expected]);
  expect((await from("DE", segment)).headers.get("Cache-Control")).toBe(
    "private, max-age=30, must-revalidate",
  );
});

test("a paywall applies to each listener, even right after another who pays", async () => {
  const track = await playable(await createUser());
  const payer = await createUser({ plan: "artist" });
  const [paid, free] = (await Promise.all([payer, listener].map((who) => addressesOf(who, track.id)))) as [
    Addresses,
    Addresses,
  ];
  await sql("update tracks set paywall = 'blocked' where id = $1", [track.id]);
  expect(await statuses(paid.files)).toEqual(new Set([200, 206]));
  expect(await statuses(free.files)).toEqual(new Set([404]));
});

test("a track that is closed to others stays closed while its owner listens", async () => {
  const owner = await createUser();
  const track = await playable(owner);
  const [own, others] = [await addressesOf(owner, track.id), await addressesOf(listener, track.id)];
  await change({ streamable: false })(owner, track.id);
  expect(await statuses(own.files)).toEqual(new Set([200, 206]));
  expect(await statuses(others.files)).toEqual(new Set([404]));
});

test("a revalidating cache gets no bytes again, and is refused after a takedown", async () => {
  const owner = await createUser();
  const track = await playable(owner, { sharing: "private" });
  const { files, waveforms } = await addressesOf(listener, track.id, track.secret);
  for (const url of [...files, ...waveforms]) {
    const { headers } = await get(url);
    expect(headers.get("Cache-Control")).toBe("private, no-cache");
    const etag = headers.get("ETag") ?? "";
    const again = await get(url, { "If-None-Match": etag });
    expect([again.status, again.bytes.length, again.headers.get("ETag")]).toEqual([304, 0, etag]);
    expect((await get(url, { "If-Range": etag, Range: "bytes=0-9" })).status).toBe(206);
  }
  await api.as(owner).put(`/tracks/${track.id}/secret-token`);
  for (const url of [...files, ...waveforms]) {
    expect((await get(url)).status).toBe(404);
    expect((await get(url, { "If-None-Match": "*" })).status).toBe(404);
  }
});

test("a new secret gives a private track's waveform a new URL, and the old one is 404 at once", async () => {
  const owner = await createUser();
  const track = await playable(owner, { sharing: "private" });
  const [before] = (await addressesOf(owner, track.id)).waveforms;
  expect((await get(before ?? "")).status).toBe(200);
  await api.as(owner).put(`/tracks/${track.id}/secret-token`);
  expect((await get(before ?? "")).status).toBe(404);
  const [after] = (await addressesOf(owner, track.id)).waveforms;
  expect(after).not.toBe(before);
  expect((await get(after ?? "")).status).toBe(200);
});

test("a download link expires after a minute", async () => {
  const owner = await createUser();
  const track = await playable(owner, { downloadable: true });
  const { headers } = await api.as(listener).get(`/tracks/${track.id}/download`);
  const location = new URL(headers.get("Location") ?? "");
  expect(Number(location.searchParams.get("X-Amz-Expires"))).toBeLessThanOrEqual(60);
  expect(location.searchParams.get("response-cache-control")).toBe("private, no-cache");
});
