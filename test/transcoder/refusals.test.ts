import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepWithBursts, wavFile } from "../support/sources/pcm.ts";
import { makeSources, type Sources } from "../support/sources.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let sources: Sources;
let transcoder: Transcoder;

beforeAll(async () => {
  sources = await makeSources();
  transcoder = await startTranscoder();
});
afterAll(() => transcoder?.stop());

test.for([
  ["empty", ["empty_file"]],
  ["noise", ["unsupported_format"]],
  ["text", ["unsupported_format"]],
  ["silentVideo", ["no_audio_stream"]],
  ["noSamples", ["undecodable"]],
  // Versions of ffmpeg notice at different points.
  ["corrupt", ["undecodable", "unreadable_container"]],
] as const)("%s fails for good with %s, and stores nothing to play (X58)", async ([name, reasons]) => {
  const { worker, verdict } = await transcoder.encode(await readFile(sources[name].path));
  expect(verdict).toMatchObject({ outcome: "failed", body: { retryable: false } });
  expect(reasons).toContain("reason" in verdict.body && verdict.body.reason);
  expect(JSON.stringify(verdict.body)).not.toContain("127.0.0.1");
  expect(worker.stored.filter((file) => file.endsWith(".m4s"))).toEqual([]);
});

const wavWith = (change: (header: Buffer) => void): Buffer => {
  const wav = wavFile(sweepWithBursts(44_100, 44_100), 44_100);
  change(wav);
  return wav;
};

test("a WAV that claims too much gets its real length (X58)", async () => {
  const { verdict } = await transcoder.encode(wavWith((header) => header.writeUInt32LE(0x7fffffff, 40)));
  expect(verdict).toMatchObject({ outcome: "finished", body: { frames: 44_100 } });
});

test("a WAV that claims nothing is read to its end (X58)", async () => {
  const { verdict } = await transcoder.encode(wavWith((header) => header.writeUInt32LE(0, 40)));
  expect(verdict).toMatchObject({ outcome: "finished", body: { frames: 44_100 } });
});

test("forty samples at 1 Hz last forty seconds (X58)", async () => {
  const { verdict } = await transcoder.encode(wavFile(sweepWithBursts(40, 44_100), 1));
  if (verdict.outcome !== "finished") throw new Error(verdict.body.detail);
  // Resampling needs neighbours on either side, so versions of ffmpeg differ at the ends.
  expect(Math.abs(verdict.body.duration_ms - 40_000)).toBeLessThan(20_000);
});

test("NaN and infinite samples do not stop the encoders (X58)", async () => {
  const wav = wavFile(sweepWithBursts(44_100, 44_100), 44_100);
  wav.writeUInt16LE(3, 20);
  wav.writeUInt32LE(44_100 * 8, 28);
  wav.writeUInt16LE(8, 32);
  wav.writeUInt16LE(32, 34);
  for (let at = 44; at < wav.length; at += 4)
    wav.writeFloatLE([0.1, Number.NaN, 1e30, -Infinity][(at >> 2) & 3] ?? 0, at);
  const { verdict } = await transcoder.encode(wav);
  expect(verdict).toMatchObject({ outcome: "finished", body: { codec: "pcm_f32le", frames: 22_050 } });
});

test("of ten channels, which no layout has, the first two are kept", async () => {
  const { worker, verdict } = await transcoder.encode(
    wavWith((header) => {
      header.writeUInt16LE(10, 22);
      header.writeUInt32LE(44_100 * 20, 28);
      header.writeUInt16LE(20, 32);
    }),
  );
  expect(verdict).toMatchObject({ outcome: "finished", body: { channels_in: 10, frames: 8_820 } });
  const { samples } = JSON.parse(String(worker.outputs.get("waveform.json")));
  expect(Math.max(...samples)).toBeGreaterThan(50);
});

test.for([
  ["65,535 channels", (header: Buffer) => header.writeUInt16LE(65_535, 22)],
  ["0 Hz", (header: Buffer) => header.writeUInt32LE(0, 24)],
  ["4,294,967,295 Hz", (header: Buffer) => header.writeUInt32LE(2 ** 32 - 1, 24)],
  ["no bits a sample", (header: Buffer) => header.writeUInt16LE(0, 34)],
  ["no channels", (header: Buffer) => header.writeUInt16LE(0, 22)],
  ["an unknown codec", (header: Buffer) => header.writeUInt16LE(0x1234, 20)],
] as const)("a WAV of %s fails for good (X58)", async ([, change]) => {
  const { verdict } = await transcoder.encode(wavWith(change));
  expect(verdict).toMatchObject({ outcome: "failed", body: { retryable: false } });
});

/** Samples a second, few enough for a day in some megabytes. */
const RATE = 100;

test("more than 24 hours are refused, and none of them is encoded (F40, X58)", async () => {
  const bytes = 25 * 3600 * RATE;
  const wav = Buffer.alloc(44 + bytes, 128);
  wavFile(new Int16Array(0), RATE).copy(wav);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.writeUInt32LE(bytes, 40);
  const { worker, verdict } = await transcoder.encode(wav);
  expect(verdict.body).toMatchObject({ reason: "too_long", retryable: false });
  expect(worker.stored).toEqual([]);
});
