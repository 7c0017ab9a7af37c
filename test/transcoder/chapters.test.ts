import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ffmpeg } from "../support/ffmpeg.ts";
import { makeSources, type Sources } from "../support/sources.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let sources: Sources;
let transcoder: Transcoder;
let folder: string;
beforeAll(async () => {
  sources = await makeSources();
  transcoder = await startTranscoder();
  folder = await mkdtemp(join(tmpdir(), "chapters-"));
});
afterAll(async () => {
  await transcoder?.stop();
  await rm(folder, { recursive: true });
});

const METADATA = `;FFMETADATA1
title=A book
[CHAPTER]
TIMEBASE=1/1000
START=0
END=500
title=One \\= 1\\; \\#x
[CHAPTER]
TIMEBASE=1/1000
START=500
END=2000
title=Two\\
[CHAPTER]\\
START\\=9
`;

async function chaptersOf(name: string, metadata: string, ...args: string[]) {
  const [about, path] = [join(folder, `${name}.txt`), join(folder, name)];
  await writeFile(about, metadata);
  const inputs = ["-i", sources.wav.path, "-i", about, "-map_metadata", "1", "-map", "0:a"];
  const { stderr } = spawnSync(ffmpeg.path, ["-v", "error", ...inputs, ...args, "-y", path]);
  expect(String(stderr)).toBe("");
  const { verdict } = await transcoder.encode(await readFile(path));
  if (verdict.outcome !== "finished") throw new Error(JSON.stringify(verdict.body));
  return verdict.body.chapters;
}

const EXPECTED = [
  { start: 0, end: 500, title: "One = 1; #x" },
  { start: 500, end: 2_000, title: "Two [CHAPTER] START=9" },
];

test.each([
  ["talk.mp3", ["-c:a", "libmp3lame", "-id3v2_version", "4"]],
  ["older.mp3", ["-c:a", "libmp3lame", "-id3v2_version", "3"]],
  ["book.m4b", ["-c:a", "aac"]],
])("%s: chapters are reported with their times and titles, whatever these hold", async (name, args) => {
  expect(await chaptersOf(name, METADATA, ...args)).toEqual(EXPECTED);
});

test("a file without chapters has none", async () => {
  expect(await chaptersOf("plain.mp3", ";FFMETADATA1\n", "-c:a", "libmp3lame")).toEqual([]);
});

test("a title of megabytes is left out, and the sound is encoded", async () => {
  const long = `;FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=${"x".repeat(2_000_000)}\n`;
  expect(await chaptersOf("long.mp3", long, "-c:a", "libmp3lame", "-id3v2_version", "4")).toEqual([
    { start: 0, end: 500 },
  ]);
  expect(await chaptersOf("long.ogg", long, "-c:a", "libvorbis")).toEqual([]);
});
