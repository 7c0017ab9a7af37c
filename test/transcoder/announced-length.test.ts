import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ffmpeg } from "../support/ffmpeg.ts";
import { casesOf } from "../support/repeats.ts";
import { sweepWithBursts, wavFile } from "../support/sources/pcm.ts";
import { makeSources, SECONDS, type Sources } from "../support/sources.ts";
import { listenToMp3, mp3Parts } from "./playback.support.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let sources: Sources;
let transcoder: Transcoder;
beforeAll(async () => {
  sources = await makeSources();
  transcoder = await startTranscoder();
});
afterAll(() => transcoder?.stop());

const RATE = 44_100;
const wav = () => wavFile(sweepWithBursts(RATE, RATE), RATE);

async function finished(file: Uint8Array) {
  const { worker, verdict } = await transcoder.encode(file);
  if (verdict.outcome !== "finished") throw new Error(JSON.stringify(verdict.body));
  return { result: verdict.body, worker };
}

function apeTag(): Buffer {
  const item = Buffer.from("\x05\0\0\0\0\0\0\0Title\0sweep", "latin1");
  const words = Buffer.alloc(32);
  words.write("APETAGEX", "latin1");
  words.writeUInt32LE(item.length + words.length, 12);
  return Buffer.concat([words, item, words]);
}

const LONGER = ["longer_than_declared"];

test.for(casesOf(1, [2, RATE * 4 - 400, 1000, RATE * 2]))(
  "a WAVE whose header announces %i bytes is decoded completely, with a warning",
  async (announced) => {
    const file = wav();
    file.writeUInt32LE(announced, 40);
    const { result, worker } = await finished(file);
    expect(result).toMatchObject({ frames: RATE, duration_ms: 1000, warnings: LONGER });
    expect((await listenToMp3(mp3Parts(worker.outputs, 1))).length / 2).toBe(RATE);
  },
);

/** Sizes of writers that could not seek back, one that counts the chunks as audio, one far too small, and one far too large. */
const SIZES = [0, 0xffff_ffff, RATE * 4 + 44, 1000, 0x7fff_f000, 0x4000_0000];

test.for(casesOf(2, SIZES))(
  "a list of chunks that reaches exactly to the end is no audio, where `data` has a size of %i",
  async (announced) => {
    const list = chunk("LIST", Buffer.from("INFOINAM\x0c\0\0\0Words words\0IART\x04\0\0\0Ana\0"));
    const file = Buffer.concat([wav(), list, chunk("id3 ", Buffer.alloc(500, "\x7f\x80"))]);
    file.writeUInt32LE(announced, 40);
    const { result } = await finished(file);
    expect(result).toMatchObject({ frames: RATE, warnings: announced === 1000 ? LONGER : [] });
  },
);

test("an AIFF that SoX wrote to a pipe gets no warning", async () => {
  const aiff = await readFile(sources.aiff.path);
  aiff.writeUInt32BE(0x7f00_0050, 4);
  aiff.writeUInt32BE(0x7f00_0008, aiff.indexOf("SSND") + 4);
  aiff.writeUInt32BE(0x3f80_0000, aiff.indexOf("COMM") + 10);
  expect((await finished(aiff)).result).toMatchObject({ frames: sources.aiff.frames, warnings: [] });
});

test("a big-endian WAVE, a Wave64 and an AIFF that announce less are decoded completely, too", async () => {
  const rifx = wav();
  rifx.write("RIFX", 0, "latin1");
  for (const [at, bytes] of [
    [4, 4],
    [16, 4],
    [20, 2],
    [22, 2],
    [24, 4],
    [28, 4],
    [32, 2],
    [34, 2],
  ] as const)
    rifx.subarray(at, at + bytes).reverse();
  rifx.writeUInt32BE(1000, 40);
  expect((await finished(rifx)).result).toMatchObject({ frames: RATE, warnings: LONGER });

  const w64 = await readFile(sources.w64.path);
  const data = w64.indexOf(Buffer.from("64617461f3acd3118cd100c04f8edb8a", "hex"));
  w64.writeBigUInt64LE(1024n, data + 16);
  expect((await finished(w64)).result).toMatchObject({ frames: sources.w64.frames, warnings: LONGER });

  const aiff = await readFile(sources.aiff.path);
  aiff.writeUInt32BE(1008, aiff.indexOf("SSND") + 4);
  expect((await finished(aiff)).result).toMatchObject({ frames: sources.aiff.frames, warnings: LONGER });
});

function chunk(id: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(id, "latin1");
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body, Buffer.alloc(body.length % 2)]);
}

const TAILS: [string, Buffer][] = [
  ["a last chunk that is cut off", chunk("LIST", Buffer.alloc(4000, "y")).subarray(0, 3000)],
  ["an ID3v2 tag", Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\x27\x08"), Buffer.alloc(5000, "t")])],
  ["three stray bytes", Buffer.from("abc")],
  [
    "further chunks",
    Buffer.concat([chunk("LIST", Buffer.from("INFOabc")), chunk("id3 ", Buffer.alloc(500, "x"))]),
  ],
  ["a chunk of a name that nobody knows", chunk("zzzz", Buffer.alloc(7, 1))],
  ["an ID3v1 tag", Buffer.concat([Buffer.from("TAG"), Buffer.alloc(125, "t")])],
  ["an APEv2 tag", Buffer.concat([Buffer.from("APETAGEX"), Buffer.alloc(5000, "t")])],
  ["padding", Buffer.alloc(1000)],
];

test.for(casesOf(3, TAILS))("chunks after honest audio are not audio: %s", async ([, tail]) => {
  const { result } = await finished(Buffer.concat([wav(), tail]));
  expect(result).toMatchObject({ frames: RATE, warnings: [] });
});

test.for(["flac", "w64"] as const)(
  "an APEv2 tag and an ID3v1 tag behind a file of %s are no damage",
  async (name) => {
    const tags = [apeTag(), Buffer.from("TAG".padEnd(128))];
    const { result } = await finished(Buffer.concat([await readFile(sources[name].path), ...tags]));
    expect(result).toMatchObject({ frames: sources[name].frames, warnings: [] });
  },
);

const PADDED = [
  ["zeros behind a FLAC", "flac", Buffer.alloc(3000)],
  ["a line end behind an AAC", "aac", Buffer.from("\r\n")],
  ["zeros behind a FLAC and its tag", "flac", Buffer.concat([Buffer.alloc(300_000), apeTag()])],
  ["an ID3v1 tag behind an AAC", "aac", Buffer.from("TAG".padEnd(128))],
  ["zeros behind an Ogg", "ogg", Buffer.alloc(3000)],
] as const;

test.for(casesOf(2, PADDED))("%s are no damage", async ([, name, padding]) => {
  const file = await readFile(sources[name].path);
  const [plain, padded] = [await finished(file), await finished(Buffer.concat([file, padding]))];
  expect(padded.result).toMatchObject({ frames: plain.result.frames, warnings: [] });
});

test("tags in the middle of joined MP3s and padding behind them are no damage", async () => {
  const mp3 = await readFile(sources.taggedMp3.path);
  const joined = [mp3, apeTag(), "TAG".padEnd(128), Buffer.alloc(700), mp3, "\r\n"].map(Buffer.from);
  expect((await finished(Buffer.concat(joined))).result).toMatchObject({ family: "mp3", warnings: [] });
});

test("an MP3 in which the header of one frame is damaged gets a warning", async () => {
  const file = await readFile(sources.mp3.path);
  const frames = [...file.entries()].filter(([at, byte]) => byte === 0xff && file[at + 1] === 0xfb);
  file[frames[10]?.[0] ?? 0] = 0;
  expect((await finished(file)).result).toMatchObject({ family: "mp3", warnings: ["decode_errors"] });
});

test("a WAVE that counts a byte of padding as audio is not called damaged", async () => {
  const file = Buffer.concat([wav(), Buffer.alloc(1)]);
  file.writeUInt32LE(RATE * 4 + 1, 40);
  expect((await finished(file)).result).toMatchObject({ frames: RATE, warnings: [] });
});

const ANNOUNCED = [
  ["less", 1024n, RATE, LONGER],
  ["more", 2n ** 40n, RATE, ["shorter_than_declared"]],
  ["nothing, as of a recorder that lost power,", 0n, RATE, LONGER],
  ["its length", BigInt(RATE * 4), RATE, []],
] as const;

test.for(casesOf(2, ANNOUNCED))(
  "an RF64 that announces %s is decoded completely",
  async ([, announced, frames, warnings]) => {
    const plain = wav();
    const sizes = Buffer.alloc(36);
    sizes.write("ds64", "latin1");
    sizes.writeUInt32LE(28, 4);
    sizes.writeBigUInt64LE(announced, 16);
    const file = Buffer.concat([plain.subarray(0, 12), sizes, plain.subarray(12)]);
    file.write("RF64", "latin1");
    for (const at of [4, 40 + sizes.length]) file.writeUInt32LE(0xffff_ffff, at);
    expect((await finished(file)).result).toMatchObject({ frames, warnings });
  },
);

test("a FLAC whose header announces eighteen days is not refused as too long, but gets a warning", async () => {
  const file = await readFile(sources.flac.path);
  // 36 bits count the samples.
  file.fill(0xff, 22, 26).writeUInt8((file[21] ?? 0) | 0x0f, 21);
  const { result } = await finished(file);
  expect(result).toMatchObject({ frames: sources.flac.frames, warnings: ["shorter_than_declared"] });
});

/** Its picture is a stream of its own, as ffmpeg sees it. */
function flacWithPicture(): Buffer {
  const { stdout, stderr } = spawnSync(ffmpeg.path, [
    "-v",
    "error",
    "-i",
    sources.flac.path,
    "-f",
    "lavfi",
    "-i",
    "color=s=16x16:d=0.04",
    "-map",
    "0:a",
    "-map",
    "1:v",
    "-c:a",
    "copy",
    "-c:v",
    "png",
    "-frames:v",
    "1",
    "-disposition:v",
    "attached_pic",
    "-f",
    "flac",
    "-",
  ]);
  expect(String(stderr)).toBe("");
  return stdout;
}

test("a truncated file finishes at its actual length, with a warning, in every format (X58)", async () => {
  for (const name of ["wav", "aiff", "flac", "w64"] as const) {
    const whole = name === "flac" ? flacWithPicture() : await readFile(sources[name].path);
    const { result } = await finished(whole.subarray(0, Math.floor(whole.length * 0.6)));
    expect([name, result.warnings]).toEqual([name, expect.arrayContaining(["shorter_than_declared"])]);
    expect(result.duration_ms).toBeGreaterThan(SECONDS * 400);
    expect(result.duration_ms).toBeLessThan(SECONDS * 700);
  }
});

test("an M4A with an empty edit ahead of its sound is not called shorter than declared", async () => {
  // ffmpeg writes the edit at the end, so it needs a file that it can seek in.
  const folder = await mkdtemp(join(tmpdir(), "edits-"));
  const path = join(folder, "late.m4a");
  const late = ["-v", "error", "-itsoffset", "2", "-t", "1", "-i", sources.wav.path, "-c:a", "aac", path];
  expect(String(spawnSync(ffmpeg.path, late).stderr)).toBe("");
  const file = await readFile(path);
  await rm(folder, { recursive: true });
  expect((await finished(file)).result).toMatchObject({ family: "aac", warnings: [] });
});

test.for([
  ["pictures outlast", ["-f", "lavfi", "-i", "testsrc=s=64x64:d=3", "-c:v", "mpeg4", "-map", "1:v"]],
  ["second sound outlasts", ["-f", "lavfi", "-i", "anullsrc=d=3", "-map", "1:a"]],
] as const)("a video whose %s its audio is not called shorter than declared", async ([, longer]) => {
  const made = spawnSync(ffmpeg.path, [
    "-v",
    "error",
    "-t",
    "1",
    "-i",
    sources.wav.path,
    ...longer.slice(0, 4),
    "-map",
    "0:a",
    ...longer.slice(4),
    "-c:a",
    "aac",
    "-f",
    "mp4",
    "-movflags",
    "frag_keyframe+empty_moov",
    "-",
  ]);
  expect(String(made.stderr)).toBe("");
  const { result } = await finished(made.stdout);
  expect(result).toMatchObject({ family: "aac", warnings: [] });
  expect(Math.abs(result.duration_ms - 1000)).toBeLessThan(100);
});

test("decoding continues past damage in the middle of a file, with a warning", async () => {
  for (const name of ["flac", "mp3", "ogg", "aac"] as const) {
    const whole = await readFile(sources[name].path);
    const middle = Math.floor(whole.length / 2);
    for (let at = middle; at < middle + 2000; at++) whole[at] = (at * 7919) & 255;
    const { result } = await finished(whole);
    expect([name, result.warnings]).toEqual([name, expect.arrayContaining(["decode_errors"])]);
  }
});
