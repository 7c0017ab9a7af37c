import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startDecoder } from "../../workers/transcoder/decode.ts";
import { findFfmpeg } from "../../workers/transcoder/ffmpeg.ts";
import { probe } from "../../workers/transcoder/probe.ts";
import type { Source } from "../../workers/transcoder/source.ts";

const SNIFFED = { family: "mp3", demuxer: "mp3", junkBytes: 0 } as const;
const STEREO = { channels: 2, layout: "stereo", isWideFlac: false };
const STREAM = { ...STEREO, codec: "mp3", sampleRate: 44_100, declaredSeconds: 1, isGuess: false };

/** Nobody reads it. */
const source: Source = {
  url: "http://127.0.0.1:1/",
  sizeBytes: 1,
  progress: () => 0,
  readAt: async () => Buffer.alloc(0),
  show: () => {},
  close: () => {},
};

test.each([
  ["is missing", "/no/such/ffmpeg"],
  ["cannot be executed", "/etc/passwd"],
])("no file is blamed for an ffmpeg that %s, as while another is installed", async (_, path) => {
  const ffmpeg = { path, version: "7", source: "env" } as const;
  const { signal } = new AbortController();
  const ours = { reason: "killed", retryable: true };
  await expect(probe(ffmpeg, source, SNIFFED, signal)).rejects.toMatchObject(ours);
  const decoder = startDecoder(ffmpeg, source, { ...SNIFFED, ...STREAM }, signal);
  for await (const _block of decoder.pcm) expect.unreachable();
  await expect(decoder.verdict(0)).rejects.toMatchObject(ours);
});

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "soundpost-ffmpeg-"));
});
afterAll(() => rm(directory, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

test.each([
  ["ffmpeg version 7.1.1-1 Copyright", "7.1.1-1"],
  ["ffmpeg version N-109542-g4f1ba2d Copyright", "N-109542-g4f1ba2d"],
  ["ffmpeg version 4.4.2 Copyright", "is ffmpeg 4.4.2, older than 5"],
  ["another program", "is no ffmpeg"],
])(
  "an FFMPEG_PATH that says %j is refused before an upload fails, unless it is new enough",
  async (says, result) => {
    const path = join(directory, "ffmpeg");
    await writeFile(path, `#!/bin/sh\necho '${says}'\n`);
    await chmod(path, 0o755);
    const found = await findFfmpeg(path).then(
      ({ version }) => version,
      ({ message }: Error) => message.replace(`${path} `, ""),
    );
    expect(found).toBe(result);
  },
);

test.each([
  ["no ffmpeg", undefined],
  ["an ffmpeg of 4 alone", "ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright"],
])("a system with %s is told the one command that installs a newer one", async (_, says) => {
  const path = join(directory, "bin", "ffmpeg");
  await rm(dirname(path), { recursive: true, force: true });
  await mkdir(dirname(path));
  if (says) await writeFile(path, `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
  vi.stubEnv("PATH", dirname(path));
  await expect(findFfmpeg("")).rejects.toThrow(
    /^There is no ffmpeg of 5 or newer: (?:sudo apt-get install -y --no-install-recommends ffmpeg|install ffmpeg by your package manager)\. Or name one by FFMPEG_PATH$/,
  );
});
