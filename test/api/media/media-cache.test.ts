import { randomBytes } from "node:crypto";
import { DeleteObjectsCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import { MEDIA_BUCKET } from "../../../workers/local/worker/bindings.ts";
import { speak } from "../../attacks/raw-requests.support.ts";
import { api } from "../../support/api.ts";
import { createPng } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack, workerLog } from "../../support/stack.ts";
import { createPlayableTrack, putMedia, STORED_MEDIA, type StoredTrack, s3 } from "../../support/tracks.ts";
import { FILES, filesOf, get, playable } from "./media-files.ts";

let owner: Person;

beforeAll(async () => {
  owner = await createUser();
});

/** Removes the files from storage. Whatever is still served came from a cache. */
async function lose(prefix: string): Promise<void> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: MEDIA_BUCKET, Prefix: prefix }));
  expect(Contents.length).toBeGreaterThan(0);
  const Objects = Contents.map(({ Key }) => ({ Key }));
  await s3.send(new DeleteObjectsCommand({ Bucket: MEDIA_BUCKET, Delete: { Objects } }));
}

async function linksFor(who: Person, id: number) {
  const { body } = await api.as(who).get<Required<Streams>>(`/tracks/${id}/streams`);
  const { waveform_url } = (await api.as(who).get<Track>(`/tracks/${id}`)).body;
  return filesOf(body, waveform_url ?? "");
}

describe("a file that one listener fetched", () => {
  let track: StoredTrack;
  let another: Awaited<ReturnType<typeof linksFor>>;

  beforeAll(async () => {
    track = await playable(owner);
    for (const [url] of Object.values(await linksFor(await createUser(), track.id)))
      expect((await get(url)).status).toBe(200);
    await lose(track.prefix);
    another = await linksFor(await createUser(), track.id);
  });

  test.for(FILES)("is served to others without storage, ranges included: %s", async (name) => {
    const [url, content, type] = another[name] as [string, Buffer, string];
    await expect.poll(async () => (await get(url)).status).toBe(200);
    const whole = await get(url, { Origin: "https://page.example" });
    expect(whole.bytes.equals(content)).toBe(true);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": type,
      "content-length": String(content.length),
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=30, must-revalidate",
    });
    const part = await get(url, { Range: "bytes=10-19" });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, `bytes 10-19/${content.length}`]);
    expect(part.bytes.equals(content.subarray(10, 20))).toBe(true);
    expect((await get(url, { Range: "bytes=-5" })).bytes.equals(content.subarray(-5))).toBe(true);
    expect((await get(url, { Range: "bytes=999999-" })).status).toBe(416);
    const head = await get(url, {}, "HEAD");
    expect([head.status, head.headers.get("Content-Length")]).toEqual([200, String(content.length)]);
  });

  test("varies by no header, and its headers are open to pages that do not say their origin", async () => {
    for (const [url] of Object.values(another)) {
      const { headers } = await get(url);
      expect(headers.get("Vary")).toBeNull();
      expect(headers.get("Access-Control-Expose-Headers")).toContain("Content-Range");
    }
  });

  test("has no address without a token", async () => {
    for (const path of ["cached", "cached/..", "-"]) {
      const url = `${stack.urls.api}/media/${path}/${track.prefix}hls/96/0.m4s`;
      expect((await get(url)).status).toBe(404);
    }
  });

  test("is refused at once to whoever may not hear it any more", async () => {
    await sql("update tracks set sharing = 'private' where id = $1", [track.id]);
    const fresh = await linksFor(owner, track.id);
    expect((await get(fresh.segment?.[0] ?? "")).status).toBe(200);
    await api.as(owner).put(`/tracks/${track.id}/secret-token`);
    for (const [url] of Object.values(fresh)) {
      const { status, headers } = await get(url);
      expect([status, headers.get("Vary")]).toEqual([404, "Accept, Authorization, Origin"]);
    }
  });
});

/** Requests for a file that no cache holds yet, which none but their senders may notice. */
const ODD: [method: string, query: string, headers: Record<string, string>][] = [
  ["GET", "", { Range: "bytes=5-9" }],
  ["GET", "", { Range: "bytes=-1" }],
  ["GET", "", { Range: "bytes=9-5,0-1" }],
  ["GET", "", { Range: "bytes=99999999999999999999-" }],
  ["GET", "?ahead=true&x=%00&range=0-1", { "If-None-Match": "*" }],
  ["HEAD", "?ahead=true", { "If-Range": '"another"', Range: "bytes=1-2" }],
  ["POST", "", { "X-HTTP-Method-Override": "GET", "Content-Type": "audio/mp4" }],
  ["OPTIONS", "", { Origin: "https://evil.example", "Access-Control-Request-Method": "GET" }],
  ["GET", "", { Origin: "https://evil.example", "Accept-Encoding": "gzip", Accept: "text/html" }],
  ["GET", "", { "X-Forwarded-Host": "evil.example", "X-Original-URL": "/", "Cache-Control": "no-store" }],
];

test("no odd request changes what the next listener of a file gets", async () => {
  for (const [method, query, headers] of ODD) {
    const track = await playable(owner);
    const [first, second] = await Promise.all([
      linksFor(await createUser(), track.id),
      linksFor(await createUser(), track.id),
    ]);
    for (const name of ["segment", "mp3"] as const) {
      const [url = "", content = Buffer.alloc(0), type = ""] = second[name] ?? [];
      await get(`${first[name]?.[0]}${query}`, headers, method);
      const { host, pathname } = new URL(first[name]?.[0] ?? "");
      await speak(
        `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nRange: bytes=1-2\r\nConnection: close\r\n\r\n`,
      );
      for (const time of ["first", "again"]) {
        const reply = await get(url);
        expect([time, method, headers, reply.status, reply.headers.get("Content-Type")]).toEqual([
          time,
          method,
          headers,
          200,
          type,
        ]);
        expect(reply.bytes.equals(content)).toBe(true);
      }
    }
  }
});

test("a private track's files are cached behind its right, and copies of the reply are not shared", async () => {
  const track = await playable(owner, { sharing: "private" });
  const { segment } = await linksFor(owner, track.id);
  const url = segment?.[0] ?? "";
  expect((await get(url)).status).toBe(200);
  await lose(track.prefix);
  await expect.poll(async () => (await get(url)).status).toBe(200);
  expect((await get(url)).headers.get("Cache-Control")).toBe("private, no-cache");
});

test("a long MP3 fills the cache in chunks as it passes, from the first whole one on", async () => {
  const KIB = 1024;
  const whole = randomBytes(1_700 * KIB);
  const part = 1_200 * KIB;
  const track = await createPlayableTrack(owner);
  const media = structuredClone(STORED_MEDIA);
  media.renditions.mp3_128 = { bytes: whole.length, part_bytes: part };
  await sql("update tracks set media = $2 where id = $1", [track.id, JSON.stringify(media)]);
  await putMedia(`${track.prefix}mp3/0.mp3`, whole.subarray(0, part));
  await putMedia(`${track.prefix}mp3/1.mp3`, whole.subarray(part));
  const { body } = await api.as(owner).get<Required<Streams>>(`/tracks/${track.id}/streams`);
  const from = async (start: number, end = whole.length - 1) => {
    const { status, bytes } = await get(body.http_mp3_128_url, { Range: `bytes=${start}-${end}` });
    return status === 206 && bytes.equals(whole.subarray(start, end + 1));
  };
  expect(await from(100 * KIB)).toBe(true);
  await lose(track.prefix);
  await expect.poll(() => from(512 * KIB)).toBe(true);
  for (const [start, end] of [
    [512 * KIB, 512 * KIB],
    [700 * KIB, 800 * KIB],
    [1_023 * KIB, 1_025 * KIB],
    [part - 1, part],
    [1_600 * KIB, whole.length - 1],
  ])
    expect([start, await from(start ?? 0, end)]).toEqual([start, true]);
  expect((await get(body.http_mp3_128_url)).status).toBe(404);
  expect((await get(body.http_mp3_128_url, { Range: "bytes=0-9" })).status).toBe(404);
});

test("pictures are served from the cache", async () => {
  const form = new FormData();
  form.set("user[avatar_data]", new Blob([await createPng()]), "a.png");
  const { avatar_url } = (await api.as(owner).put<{ avatar_url: string }>("/me", { raw: form })).body;
  const before = await get(avatar_url);
  expect([before.status, before.headers.get("Vary")]).toEqual([200, null]);
  await lose(`images/${/images\/([0-9a-f]+)-/.exec(avatar_url)?.[1]}/`);
  await expect.poll(async () => (await get(avatar_url)).bytes.equals(before.bytes)).toBe(true);
});

describe("the log", () => {
  const linesOf = (route: string) =>
    workerLog().filter((line) => line.event === "request" && line.route === route);
  const ROUTE = "/media/:token/preview.mp3";

  test("holds one of a hundred successes of media, and says so", async () => {
    const { id } = await playable(owner);
    const [url = ""] = (await linksFor(owner, id)).preview ?? [];
    const before = linesOf(ROUTE).length;
    for (let sent = 0; sent < 400; sent += 20)
      await Promise.all(Array.from({ length: 20 }, () => get(url, { Range: "bytes=0-1" })));
    await api.get("/healthz", { headers: { "X-Request-Id": "after-all-the-plays" } });
    await expect.poll(() => workerLog().some((line) => line.request_id === "after-all-the-plays")).toBe(true);
    // Files that run beside this one have failures, which are always logged.
    const lines = linesOf(ROUTE)
      .slice(before)
      .filter(({ status }) => Number(status) < 400);
    // Twenty of four hundred are less likely than a billionth.
    expect(lines.length).toBeLessThan(20);
    for (const line of lines) expect(line.one_of).toBe(100);
  });

  test("holds every failure", async () => {
    const failures = () => linesOf(ROUTE).filter(({ status }) => status === 404).length;
    const before = failures();
    for (let sent = 0; sent < 20; sent++) await get(`${stack.urls.api}/media/none/preview.mp3`);
    await expect.poll(failures).toBeGreaterThanOrEqual(before + 20);
  });
});
