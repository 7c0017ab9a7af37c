import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { findFrames, readFrameHeader } from "../../workers/transcoder/mpeg-frames.ts";
import { ffmpeg } from "../support/ffmpeg.ts";

test.each([
  ["MPEG-2 layer III", "mp3", 22_050],
  ["MPEG-2.5 layer III", "mp3", 11_025],
  ["MPEG-2 layer II", "mp2", 16_000],
] as const)("frames of %s, as old speech has it, meet to the end", (_name, kind, rate) => {
  const coder = kind === "mp3" ? ["-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0"] : [];
  const input = ["-v", "error", "-f", "lavfi", "-i", `sine=440:r=${rate}:d=1`];
  const { stdout, stderr } = spawnSync(ffmpeg.path, [...input, ...coder, "-f", kind, "-"]);
  expect(String(stderr)).toBe("");
  expect(findFrames(stdout, true)).toEqual({ kind, start: 0 });
  let at = 0;
  while (at < stdout.length) at += readFrameHeader(stdout, at)?.bytes ?? Number.POSITIVE_INFINITY;
  expect(at).toBe(stdout.length);
});

test("bytes among which every third begins a header are read only a few times each", () => {
  const headers = Buffer.alloc(256 * 1024, Buffer.from([0xff, 0xfb, 0x10]));
  let reads = 0;
  const counted = new Proxy(headers, {
    get(bytes, key) {
      reads++;
      const value = Reflect.get(bytes, key);
      return typeof value === "function" ? value.bind(bytes) : value;
    },
  });
  expect(findFrames(counted, false)).toBeUndefined();
  expect(reads).toBeLessThan(10 * headers.length);
});
