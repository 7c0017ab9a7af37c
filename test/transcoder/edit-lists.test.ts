import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ffmpeg } from "../support/ffmpeg.ts";
import { casesOf } from "../support/repeats.ts";
import { makeSources, type Sources } from "../support/sources.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let sources: Sources;
let transcoder: Transcoder;
let folder: string;
beforeAll(async () => {
  sources = await makeSources();
  transcoder = await startTranscoder();
  folder = await mkdtemp(join(tmpdir(), "edit-lists-"));
});
afterAll(async () => {
  await transcoder?.stop();
  await rm(folder, { recursive: true });
});

/** ffmpeg writes the list at the end, so it needs a file that it can seek in. */
async function written(name: string, ...args: string[]): Promise<Buffer> {
  const path = join(folder, name);
  const { stderr } = spawnSync(ffmpeg.path, ["-v", "error", "-i", sources.wav.path, ...args, "-y", path]);
  expect(String(stderr)).toBe("");
  return readFile(path);
}

async function framesOf(file: Buffer): Promise<number> {
  const { verdict } = await transcoder.encode(file);
  if (verdict.outcome !== "finished") throw new Error(JSON.stringify(verdict.body));
  expect(verdict.body.warnings).toEqual([]);
  return verdict.body.frames;
}

const AAC = ["-c:a", "aac", "-t", "2"];

test("an M4A has as many frames as its edit list says, so that neighbours of an album touch", async () => {
  expect(await framesOf(await written("song.m4a", ...AAC))).toBe(88_200);
});

test.for(
  casesOf(1, [
    ["of half the rate", ["-ar", "22050"], 88_200],
    ["of phones", ["-ar", "8000", "-ac", "1"], 96_000],
    ["with its index ahead", ["-movflags", "faststart"], 88_200],
  ] as const),
)("one %s does, too", async ([, args, frames]) => {
  expect(await framesOf(await written("other.m4a", ...AAC, ...args))).toBe(frames);
});

test("a book of chapters has as many frames as its edit list says", async () => {
  const chapters = [0, 1000].map(
    (start) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${start + 1000}\n`,
  );
  await writeFile(join(folder, "chapters"), `;FFMETADATA1\n${chapters.join("title=Part\n")}`);
  const args = ["-i", join(folder, "chapters"), "-map_metadata", "1", "-map", "0:a"];
  expect(await framesOf(await written("book.m4b", ...args, ...AAC))).toBe(88_200);
});

const box = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
};

test("an older file of iTunes, without an edit list, has as many frames as its tag says", async () => {
  const file = await written("itunes.m4a", ...AAC);
  file.write("free", file.indexOf("edts"), "latin1");
  const full = (type: string, text: string) => box(type, Buffer.concat([Buffer.alloc(4), Buffer.from(text)]));
  const text = ` 00000000 00000400 00000378 ${(88_200).toString(16).toUpperCase().padStart(16, "0")} 00000000`;
  const value = box("data", Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]), Buffer.from(text)]));
  const tag = box("----", Buffer.concat([full("mean", "com.apple.iTunes"), full("name", "iTunSMPB"), value]));
  const handler = box("hdlr", Buffer.from("\0\0\0\0\0\0\0\0mdirappl\0\0\0\0\0\0\0\0\0", "latin1"));
  const meta = box("meta", Buffer.concat([Buffer.alloc(4), handler, box("ilst", tag)]));
  const udta = box("udta", meta);
  // The index stands last.
  const moov = file.indexOf("moov") - 4;
  file.writeUInt32BE(file.readUInt32BE(moov) + udta.length, moov);
  expect(await framesOf(Buffer.concat([file, udta]))).toBe(88_200);
});

test("a file of fragments, whose list cannot count them, loses nothing", async () => {
  const whole = await framesOf(await written("plain.m4a", ...AAC));
  const parted = await written(
    "parted.m4a",
    ...AAC,
    "-movflags",
    "frag_keyframe+delay_moov",
    "-frag_duration",
    "500000",
  );
  expect(await framesOf(parted)).toBeGreaterThanOrEqual(whole);
});
