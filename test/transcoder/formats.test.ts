import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Finished } from "../../workers/transcoder/contract.ts";
import { readFrameHeader } from "../../workers/transcoder/mpeg-frames.ts";
import { ffmpeg } from "../support/ffmpeg.ts";
import { missing } from "../support/programs.ts";
import { casesOf } from "../support/repeats.ts";
import { makeSources, SECONDS, type SourceFile, type Sources } from "../support/sources.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let sources: Sources;
let transcoder: Transcoder;

beforeAll(async () => {
  sources = await makeSources();
  transcoder = await startTranscoder();
});
afterAll(() => transcoder?.stop());

/** By path: no file is encoded twice. */
const finished = new Map<string, ReturnType<typeof encode>>();

function finish(source: SourceFile) {
  const encoded = finished.get(source.path) ?? encode(source);
  finished.set(source.path, encoded);
  return encoded;
}

async function encode(source: SourceFile) {
  const { worker, verdict } = await transcoder.encode(await readFile(source.path));
  if (verdict.outcome !== "finished") throw new Error(`failed: ${JSON.stringify(verdict.body)}`);
  expect(worker.refusals).toEqual([]);
  return { worker, result: verdict.body };
}

const LOSSLESS = [
  ["wav", "wav", "pcm_s16le"],
  ["flac", "flac", "flac"],
  ["wav48", "wav", "pcm_s16le"],
  ["w64", "wav", "pcm_s16le"],
  ["aiff", "aiff", "pcm_s16be"],
  ["alac", "alac", "alac"],
] as const;

test.for(casesOf(3, LOSSLESS))("%s keeps every frame", async ([name, family, codec]) => {
  const { result } = await finish(sources[name]);
  expect(result).toMatchObject({
    family,
    codec,
    frames: sources[name].frames,
    sample_rate: sources[name].rate,
  });
  expect(result).toMatchObject({ duration_ms: SECONDS * 1000, warnings: [] });
});

const LOSSY = [
  ["ogg", "ogg", "vorbis"],
  ["opus", "ogg", "opus"],
  ["mp3", "mp3", "mp3"],
  ["m4a", "aac", "aac"],
  ["wma", "wma", "wmav2"],
  ["aac", "aac", "aac"],
  ["bareMp3", "mp3", "mp3"],
  ["taggedMp3", "mp3", "mp3"],
  ["mp2", "mp2", "mp2"],
] as const;

test.for(casesOf(6, LOSSY))("%s keeps its length up to a few codec frames", async ([name, family, codec]) => {
  const { result } = await finish(sources[name]);
  expect(result).toMatchObject({ family, codec, channels_in: 2, warnings: [] });
  expect(Math.abs(result.duration_ms - SECONDS * 1000)).toBeLessThan(70);
});

test.for(casesOf(1, ["amrInMp4", "amr"] as const))(
  "%s is AMR, 8 kHz mono, and becomes stereo at 48 kHz",
  async (name) => {
    const { result } = await finish(sources[name]);
    expect(result).toMatchObject({ family: "amr", codec: "amr_nb", channels_in: 1, sample_rate_in: 8000 });
    expect(result).toMatchObject({ sample_rate: 48_000, duration_ms: 3020 });
  },
);

test("a file that sox writes is AMR, too", async ({ skip }) => {
  skip(...missing("sox"));
  const made = spawnSync("sox", [
    "-n",
    "-r",
    "8000",
    "-c",
    "1",
    "-t",
    "amr-nb",
    "-",
    "synth",
    "3",
    "sine",
    "300-2000",
  ]);
  expect(made.status).toBe(0);
  const { verdict } = await transcoder.encode(made.stdout);
  expect(verdict).toMatchObject({
    outcome: "finished",
    body: { family: "amr", codec: "amr_nb", sample_rate: 48_000, warnings: [] },
  });
  expect(Math.abs((verdict.body as Finished).duration_ms - 3000)).toBeLessThan(70);
});

test("six channels become two", async () => {
  const { result } = await finish(sources.surround);
  expect(result).toMatchObject({ channels_in: 6, frames: sources.surround.frames });
});

const AMBISONICS = [
  ["four channels and a stereo pair", 6],
  ["four channels", 4],
  ["nine channels", 9],
] as const;

test.for(casesOf(1, AMBISONICS))(
  "Opus with ambisonics of %s is heard on both sides",
  async ([, channels]) => {
    const made = spawnSync(ffmpeg.path, [
      "-v",
      "error",
      "-f",
      "lavfi",
      "-i",
      "sine=440:r=48000:d=2",
      "-filter_complex",
      `${"[0]".repeat(channels)}amerge=inputs=${channels}`,
      "-c:a",
      "libopus",
      "-mapping_family",
      "2",
      "-f",
      "ogg",
      "-",
    ]);
    expect(String(made.stderr)).toBe("");
    const { worker, verdict } = await transcoder.encode(made.stdout);
    expect(verdict).toMatchObject({ outcome: "finished", body: { channels_in: channels } });
    const { samples } = JSON.parse(String(worker.outputs.get("waveform.json")));
    expect(samples[900]).toBeGreaterThan(20);
  },
);

test.for([
  ["ID3v1", `TAG${" ".repeat(125)}`],
  ["APEv2", `APETAGEX${"\0".repeat(24)}`],
])("an MP3 of two frames with an %s tag behind them is MP3", async ([, tag]) => {
  const mp3 = await readFile(sources.bareMp3.path);
  const first = readFrameHeader(mp3, 0)?.bytes ?? 0;
  const bytes = first + (readFrameHeader(mp3, first)?.bytes ?? 0);
  const { verdict } = await transcoder.encode(
    Buffer.concat([mp3.subarray(0, bytes), Buffer.from(tag, "latin1")]),
  );
  expect(verdict).toMatchObject({ outcome: "finished", body: { family: "mp3" } });
});

test.for([
  ["zeros", Buffer.alloc(60_000)],
  // Its length is written in whole bytes, so it reads as 68 kB.
  [
    "a tag of 300 kB that claims less",
    Buffer.concat([Buffer.from("ID3\x03\0\0\0\x04\x93\xe0", "latin1"), Buffer.alloc(300_000, "a")]),
  ],
  ["a tag that claims 256 MB", Buffer.from("ID3\x04\0\0\x7f\x7f\x7f\x7f", "latin1")],
] as const)("an MP3 behind %s loses nothing and costs a few reads", async ([, junk]) => {
  let reads = 0;
  const { verdict } = await transcoder.encode(Buffer.concat([junk, await readFile(sources.mp3.path)]), {
    source(response) {
      if (++reads < 20) return false;
      response.writeHead(404).end();
      return true;
    },
  });
  const { result } = await finish(sources.mp3);
  expect(verdict).toMatchObject({ outcome: "finished", body: { frames: result.frames, warnings: [] } });
});

test.for([
  ["is one track, without a warning", "libvorbis", 8000, []],
  ["whose second has another codec ends with the first, with a warning", "libopus", 1000, ["decode_errors"]],
] as const)("a chain of two Ogg streams %s", async ([, codec, milliseconds, warnings]) => {
  const part = (coder: string, seconds: number) =>
    spawnSync(ffmpeg.path, [
      "-v",
      "error",
      "-f",
      "lavfi",
      "-i",
      `anoisesrc=d=${seconds}:r=48000:a=0.3`,
      "-ac",
      "2",
      "-c:a",
      coder,
      "-f",
      "ogg",
      "-",
    ]).stdout;
  // The second is longer than the 64 KiB at the end in which ffmpeg looks for the length.
  const { verdict } = await transcoder.encode(Buffer.concat([part("libvorbis", 1), part(codec, 7)]));
  expect(verdict).toMatchObject({ outcome: "finished", body: { warnings } });
  expect(Math.abs((verdict.body as Finished).duration_ms - milliseconds)).toBeLessThan(70);
});

test("a chain of two Opus streams is one track, without a warning, unless it is damaged", async () => {
  const part = await readFile(sources.opus.path);
  const { verdict } = await transcoder.encode(Buffer.concat([part, part]));
  expect(verdict).toMatchObject({ outcome: "finished", body: { warnings: [] } });
  expect(Math.abs((verdict.body as Finished).duration_ms - 2 * SECONDS * 1000)).toBeLessThan(70);
  const damaged = Buffer.from(part).fill(0, 10_000, 11_000);
  const { verdict: other } = await transcoder.encode(damaged);
  expect(other).toMatchObject({
    outcome: "finished",
    body: { warnings: expect.arrayContaining(["decode_errors"]) },
  });
});

test("mono keeps its level on both sides, which measures 3 LU more than on one", async () => {
  const { result: mono } = await finish(sources.mono);
  const { result: stereo } = await finish(sources.wav);
  expect(mono.loudness.true_peak_dbtp).toBeLessThan(0);
  // The channels differ, so their mean is softer than either. ffmpeg's default would lose 3 dB more.
  const drop = (stereo.loudness.integrated_lufs ?? 0) - (mono.loudness.integrated_lufs ?? 0);
  expect(drop).toBeGreaterThan(2);
  expect(drop).toBeLessThan(3.6);
});

test.for(["mp3", "ogg"])("%s that goes on in stereo after mono keeps its right side", async (format) => {
  const part = (channels: string) =>
    spawnSync(ffmpeg.path, [
      "-v",
      "error",
      "-f",
      "lavfi",
      "-i",
      "sine=440:r=44100:d=2",
      "-af",
      `pan=${channels}`,
      ...(format === "ogg" ? ["-c:a", "libvorbis"] : ["-write_xing", "0", "-id3v2_version", "0"]),
      "-f",
      format,
      "-",
    ]).stdout;
  const { worker, verdict } = await transcoder.encode(
    Buffer.concat([part("mono|c0=c0"), part("stereo|c0=0*c0|c1=c0")]),
  );
  expect(verdict.outcome).toBe("finished");
  const { samples } = JSON.parse(String(worker.outputs.get("waveform.json")));
  for (const column of [450, 1350]) expect(samples[column]).toBeGreaterThan(20);
});

test("the waveform has 1800 heights and a transparent picture", async () => {
  const { worker } = await finish(sources.wav);
  const document = JSON.parse(String(worker.outputs.get("waveform.json")));
  expect(document).toMatchObject({ width: 1800, height: 280 });
  expect(document.samples).toHaveLength(1800);
  // Sine of 0.3, with a burst of noise up to 0.65 every 0.7 s.
  const column = (seconds: number) => Math.floor((seconds / SECONDS) * 1800);
  const highest = (from: number, to: number) => Math.max(...document.samples.slice(column(from), column(to)));
  expect(highest(0.3, 0.4)).toBeGreaterThanOrEqual(83);
  expect(highest(0.3, 0.4)).toBeLessThanOrEqual(85);
  expect(highest(1.4, 1.42)).toBeGreaterThan(140);

  const { data, info } = await sharp(worker.outputs.get("waveform.png"))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 1800, height: 280, channels: 4 });
  const alphaAt = (x: number, y: number) => data[(y * 1800 + x) * 4 + 3];
  expect(alphaAt(0, 0)).toBe(0);
  expect(alphaAt(0, 140)).toBe(255);
});
