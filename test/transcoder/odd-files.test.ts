import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ffmpeg } from "../support/ffmpeg.ts";
import { casesOf } from "../support/repeats.ts";
import { wideFlac } from "../support/sources/flac.ts";
import { wavFile } from "../support/sources/pcm.ts";
import { extensibleWav } from "../support/sources/wave.ts";
import { makeSources, type Sources } from "../support/sources.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let sources: Sources;
let transcoder: Transcoder;
beforeAll(async () => {
  sources = await makeSources();
  transcoder = await startTranscoder();
});
afterAll(() => transcoder?.stop());

const verdictOf = async (file: Uint8Array) => (await transcoder.encode(file)).verdict;

const made = (...args: string[]): Buffer => {
  const { stdout, stderr } = spawnSync(ffmpeg.path, ["-v", "error", ...args, "-"]);
  expect(String(stderr)).toBe("");
  return stdout;
};

const TONE = ["-f", "lavfi", "-i", "sine=440:r=48000:d=1", "-ac", "2"];

test("a FLAC of 32 bits is decoded, by an ffmpeg before 6 refused as not supported", async () => {
  const isNew = Number.parseInt(transcoder.announcement.ffmpeg.version.replace(/^\D+/, ""), 10) >= 6;
  const body = isNew
    ? { codec: "flac", frames: 5 * 4096, warnings: [] }
    : { reason: "unsupported_codec", retryable: false };
  expect(await verdictOf(wideFlac(5))).toMatchObject({ outcome: isNew ? "finished" : "failed", body });
});

test.for(
  casesOf(2, [
    [24, 32],
    [16, 32],
    [20, 24],
    [16, 24],
  ] as const),
)("%i valid bits in %i are heard as they are", async ([valid, bits]) => {
  const verdict = await verdictOf(extensibleWav({ channels: 2, mask: 3, level: 0.5, bits, valid }));
  expect(verdict).toMatchObject({
    outcome: "finished",
    body: { codec: `pcm_s${bits}le`, frames: 22_050, warnings: [] },
  });
  expect(verdict.outcome === "finished" && verdict.body.loudness.true_peak_dbtp).toBeCloseTo(-6, 0);
});

const COMPRESSED = [
  ["AC-3 for a receiver", ["-c:a", "ac3", "-f", "spdif"]],
  ["DTS", ["-strict", "-2", "-c:a", "dca", "-f", "dts"]],
] as const;

test.for(COMPRESSED)("%s behind silence is refused, not published as noise", async ([name, args]) => {
  const bursts = made(...TONE, ...args);
  if (name === "DTS") bursts.swap16();
  const samples = Buffer.concat([Buffer.alloc(48_000), bursts]);
  const file = wavFile(new Int16Array(Uint8Array.from(samples).buffer), 48_000);
  expect(await verdictOf(file)).toMatchObject({ outcome: "failed", body: { reason: "unsupported_codec" } });
});

/** An APEv2 tag that stands ahead of the audio, as its flags say. Its picture looks like nothing. */
function apeInFront(): Buffer {
  const item = Buffer.concat([Buffer.from("\x60\x62\x01\0\x02\0\0\0Cover\0"), Buffer.alloc(90_720, "c")]);
  const words = Buffer.alloc(32);
  words.write("APETAGEX", "latin1");
  words.writeUInt32LE(2000, 8);
  words.writeUInt32LE(item.length, 12);
  words.writeUInt32LE(1, 16);
  words.writeUInt32LE(0xa000_0000, 20);
  return Buffer.concat([words, item]);
}

const JUNK = [
  ["mp3", "an APEv2 tag", apeInFront],
  ["mp3", "100 kB of zeros", () => Buffer.alloc(100_000)],
  ["flac", "100 kB of zeros", () => Buffer.alloc(100_000)],
  ["wav", "an APEv2 tag", apeInFront],
  ["mp3", "5 MB of zeros", () => Buffer.alloc(5_000_000)],
] as const;

test.for(casesOf(3, JUNK))(
  "%s behind %s is decoded completely, after a few reads",
  async ([name, , junk]) => {
    const plain = await readFile(sources[name].path);
    const alone = await verdictOf(plain);
    if (alone.outcome !== "finished") throw new Error(alone.body.detail);
    const { frames, codec } = alone.body;
    let reads = 0;
    const { verdict } = await transcoder.encode(Buffer.concat([junk(), plain]), {
      source: () => ++reads < 0,
    });
    expect(verdict).toMatchObject({ outcome: "finished", body: { codec, frames, warnings: [] } });
    expect(reads).toBeLessThan(30);
  },
);

/** An ASF's header is an object of objects: its length and their count are written in it. */
function withEncryption(asf: Buffer): Buffer {
  const size = Number(asf.readBigUInt64LE(16));
  const object = Buffer.alloc(44);
  object.write("fbb31122" + "23bd" + "d211" + "b4b7" + "00a0c955fc6e", "hex");
  object.writeBigUInt64LE(44n, 16);
  object.writeUInt32LE(0, 24);
  for (const at of [28, 32, 36]) object.writeUInt32LE(0, at);
  const file = Buffer.concat([asf.subarray(0, size), object, asf.subarray(size)]);
  file.writeBigUInt64LE(BigInt(size + object.length), 16);
  file.writeUInt32LE(asf.readUInt32LE(24) + 1, 24);
  return file;
}

test("a WMA with an encryption object is refused as protected", async () => {
  const file = withEncryption(await readFile(sources.wma.path));
  expect(await verdictOf(file)).toMatchObject({
    outcome: "failed",
    body: { reason: "protected", retryable: false },
  });
});

test("an M4A of encrypted samples is refused as protected", async () => {
  const file = await readFile(sources.m4a.path);
  file.write("enca", file.indexOf("mp4a", file.indexOf("stsd")), "latin1");
  expect(await verdictOf(file)).toMatchObject({ outcome: "failed", body: { reason: "protected" } });
});

test.for(["libopus", "libvorbis", "flac"])(
  "a recording of a live stream by %s, whose time begins late, is not called shorter",
  async (codec) => {
    const live = ["-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:a=0.2", "-ac", "2", "-output_ts_offset", "30"];
    const file = made(...live, "-c:a", codec, "-f", "ogg");
    expect(await verdictOf(file)).toMatchObject({ outcome: "finished", body: { warnings: [] } });
  },
);
