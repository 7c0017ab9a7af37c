import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDecoder } from "../../workers/transcoder/decode.ts";
import { type Ffmpeg, startFfmpeg } from "../../workers/transcoder/ffmpeg.ts";
import type { Source } from "../../workers/transcoder/source.ts";

const AUDIO = {
  ...({ family: "mp3", demuxer: "mp3", junkBytes: 0, codec: "mp3" } as const),
  channels: 2,
  layout: "stereo",
  isWideFlac: false,
  sampleRate: 44_100,
  declaredSeconds: 1,
  isGuess: false,
};

/** Nobody reads it. */
const source: Source = {
  url: "http://127.0.0.1:1/",
  sizeBytes: 1,
  progress: () => 0,
  readAt: async () => Buffer.alloc(0),
  show: () => {},
  close: () => {},
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "soundpost-decoder-"));
});
afterAll(() => rm(directory, { recursive: true }));

/** A program in ffmpeg's place. */
async function programThat(does: string): Promise<Ffmpeg> {
  const path = join(directory, "ffmpeg");
  await writeFile(path, `#!/bin/sh\n${does}\n`);
  await chmod(path, 0o755);
  return { path, version: "7", source: "env" };
}

const { signal } = new AbortController();

async function decode(does: string) {
  const decoder = startDecoder(await programThat(does), source, AUDIO, signal);
  const blocks: string[] = [];
  for await (const block of decoder.pcm) blocks.push(String(block));
  return { blocks, verdict: await decoder.verdict(blocks.join("").length / 4) };
}

test("samples that a pipe delivers in two pieces stay whole, and none is lost", async () => {
  const { blocks, verdict } = await decode("printf abcdef; sleep 0.2; printf ghijkl");
  expect(blocks.join("")).toBe("abcdefghijkl");
  expect(blocks.filter(({ length }) => length % 4 > 0)).toEqual([]);
  expect(verdict).toEqual({ complained: false, passedOver: false, clipped: false });
});

test.each(["exit 1", "kill -SEGV $$"])(
  "a decoder that ends by %j without a word has not heard the whole file",
  async (end) => {
    expect((await decode(`printf abcd; ${end}`)).verdict).toMatchObject({ complained: true });
  },
);

test("whoever takes over ffmpeg has a gigabyte, no file, its CPU-seconds and none of our secrets", async () => {
  process.env.TRANSCODER_SECRET = "between-worker-and-transcoder";
  const asks = "ulimit -v; ulimit -f; ulimit -c; ulimit -S -t; nice; env";
  const { stdout } = startFfmpeg(await programThat(asks), [], { signal, cpuSeconds: 7 });
  const said = (await text(stdout)).split("\n");
  delete process.env.TRANSCODER_SECRET;
  expect(said.slice(0, 4)).toEqual([String(1024 * 1024), "0", "0", "7"]);
  expect(Number(said[4])).toBeGreaterThanOrEqual(10);
  const names = said.slice(5, -1).map((line) => line.split("=", 1)[0]);
  expect(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name ?? "")).sort()).toEqual([
    "LC_ALL",
    "MALLOC_ARENA_MAX",
    "PATH",
  ]);
});
