import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { FILES, filesOf, get, MP3, playable } from "./media-files.ts";

let links: Required<Streams>;
let waveform: string;

beforeAll(async () => {
  const owner = await createUser();
  const { id } = await playable(owner);
  links = (await api.as(owner).get<Required<Streams>>(`/tracks/${id}/streams`)).body;
  waveform = (await api.as(owner).get<Track>(`/tracks/${id}`)).body.waveform_url ?? "";
});

test("404: a segment that does not exist, whatever the client has of it", async () => {
  const [url = ""] = filesOf(links, waveform).segment ?? [];
  const missing = url.replace(/[0-9]+\.m4s$/, "999.m4s");
  expect((await get(missing)).status).toBe(404);
  expect((await get(missing, { "If-None-Match": "*" })).status).toBe(404);
  expect((await get(url, { "If-None-Match": "*" })).status).toBe(304);
});

describe.for(FILES)("%s", (name) => {
  const file = () => filesOf(links, waveform)[name] as [string, Buffer, string];

  test("plays completely for any page without further headers", async () => {
    const [url, content, type] = file();
    const { status, headers, bytes } = await get(url, { Origin: "https://page.example" });
    expect(status).toBe(200);
    expect(bytes.equals(content)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": type,
      "content-length": String(content.length),
      "accept-ranges": "bytes",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(headers.get("Access-Control-Expose-Headers")).toContain("Content-Range");
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });

  test.for([{}, { Range: "bytes=10-19" }, { Range: "bytes=999999-" }] as Record<string, string>[])(
    "HEAD with %o tells of the whole file, without the bytes",
    async (asked) => {
      const [url, content, type] = file();
      const { status, headers, bytes } = await get(url, asked, "HEAD");
      expect([status, bytes.length]).toEqual([200, 0]);
      expect(headers.get("Content-Length")).toBe(String(content.length));
      expect(headers.get("Content-Type")).toBe(type);
      expect(headers.get("Content-Range")).toBeNull();
    },
  );

  test.for<[string, (size: number) => [number, number]]>([
    ["bytes=0-0", () => [0, 0]],
    ["bytes=0-", (size) => [0, size - 1]],
    ["bytes=100-199", () => [100, 199]],
    ["bytes=-1", (size) => [size - 1, size - 1]],
    ["bytes=-100000", (size) => [0, size - 1]],
    ["bytes=150-99999999999999999999", (size) => [150, size - 1]],
    [" bytes=0-9 ", () => [0, 9]],
  ])("Range: %s", async ([range, bounds]) => {
    const [url, content] = file();
    const [start, end] = bounds(content.length);
    const { status, headers, bytes } = await get(url, { Range: range });
    expect([status, headers.get("Content-Range")]).toEqual([206, `bytes ${start}-${end}/${content.length}`]);
    expect(headers.get("Content-Length")).toBe(String(end - start + 1));
    expect(bytes.equals(content.subarray(start, end + 1))).toBe(true);
  });

  test.for(["bytes=100000-", "bytes=-0", "bytes=99999999999999999999-", `bytes=${"9".repeat(400)}-`])(
    "416: %s lies outside (X105)",
    async (range) => {
      const [url, content] = file();
      const { status, headers, bytes } = await get(url, { Range: range });
      expect([status, headers.get("Content-Range")]).toEqual([416, `bytes */${content.length}`]);
      expect(JSON.parse(bytes.toString())).toMatchObject({ code: 416, error: null });
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Cache-Control")).toBe("no-store");
    },
  );

  test.for([
    "bytes=5-2",
    "bytes=",
    "bytes=a-b",
    "bytes=-",
    "items=0-5",
    "bytes=0-0,5-9",
    `bytes=${"0-,".repeat(1000)}0-`,
    "bytes=--5",
  ])("200: %s is not a valid range, so the whole is sent (X105)", async (range) => {
    const [url, content] = file();
    const { status, bytes } = await get(url, { Range: range });
    expect([status, bytes.length]).toEqual([200, content.length]);
  });
});

test("200: a range with a failed condition gets the whole", async () => {
  for (const name of FILES) {
    const [url, content] = filesOf(links, waveform)[name] as [string, Buffer, string];
    for (const validator of ['"never-given"', "Wed, 21 Oct 2015 07:28:00 GMT"]) {
      const { status, bytes } = await get(url, { Range: "bytes=0-9", "If-Range": validator });
      expect([name, status, bytes.length]).toEqual([name, 200, content.length]);
    }
  }
});

test("any slice of the MP3 matches the whole across its parts", async () => {
  for (const [start, end] of [
    [999, 1_000],
    [0, 1_000],
    [500, 2_100],
    [1_000, 1_999],
    [1_999, 2_000],
    [2_000, 2_499],
    [0, 2_499],
  ] as const) {
    const { status, bytes } = await get(links.http_mp3_128_url, { Range: `bytes=${start}-${end}` });
    expect([status, bytes.equals(MP3.subarray(start, end + 1))]).toEqual([206, true]);
  }
});
