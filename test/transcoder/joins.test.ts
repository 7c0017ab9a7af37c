import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { segmentCount } from "../../functions/api/media/playlists.ts";
import { startAac } from "../../workers/transcoder/aac.ts";
import type { Finished } from "../../workers/transcoder/contract.ts";
import { PACKETS_PER_SEGMENT } from "../../workers/transcoder/geometry.ts";
import { packSegments } from "../../workers/transcoder/segments.ts";
import { ffmpeg } from "../support/ffmpeg.ts";
import { casesOf } from "../support/repeats.ts";
import { sweepWav, sweepWithBursts } from "../support/sources/pcm.ts";
import { startPausedJob } from "./paused-job.ts";
import { listenToHls } from "./playback.support.ts";
import { eventually, startTranscoder, type Transcoder } from "./transcoder-process.ts";

const RATE = 44_100;

/** Packets of a chunk, far less than usual: 12 s. */
const CHUNK = 2 * PACKETS_PER_SEGMENT;

/** Encodes samples in blocks of odd lengths and returns what a player hears. */
async function encode(pcm: Int16Array, bitrate: number, encoders: number, chunkPackets = CHUNK) {
  const outputs = new Map<string, Buffer>();
  const work = new AbortController();
  const frames = pcm.length / 2;
  const options = { encoders, chunkPackets };
  const { sink, packets } = startAac({ ffmpeg, rate: RATE, bitrate, signal: work.signal }, options);
  const { rendition } = packSegments({
    packets,
    folder: "hls/160",
    rate: RATE,
    bitrate,
    totalFrames: () => frames,
    put: async (name, _type, body) => void outputs.set(name, Buffer.from(body)),
  });
  const bytes = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  for (let at = 0, odd = 1; at < bytes.length; odd = (odd * 7) % 16_381) {
    const block = bytes.subarray(at, at + 4 * (1 + odd));
    at += block.length;
    await sink.write(block);
  }
  sink.end();
  const aac_160 = await rendition;
  const result = { frames, sample_rate: RATE, renditions: { aac_160 } } as Finished;
  return { outputs, heard: await listenToHls(outputs, result) };
}

/** A steady chord under noise, on which every packet of an encoder is about as good as the next. */
function music(seconds: number): Int16Array {
  const samples = new Int16Array(2 * RATE * seconds);
  const noise = [0, 0];
  let seed = 7;
  for (let n = 0; n < samples.length; n++) {
    const t = Math.floor(n / 2) / RATE;
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
    noise[n % 2] = 0.97 * (noise[n % 2] ?? 0) + 0.05 * (seed / 2 ** 31);
    const tone = (hertz: number, bend = 0) => Math.sin(2 * Math.PI * hertz * t + bend * Math.sin(2 * t));
    const chord = 0.1 * tone(220) + 0.08 * tone(277, 3) + 0.06 * tone(1330);
    samples[n] = Math.round(32_767 * (chord + (noise[n % 2] ?? 0)));
  }
  return samples;
}

/** Ratio of signal to error in dB over the frames around one. */
function clarity(pcm: Int16Array, heard: Int16Array, frame: number, around: number): number {
  let [signal, error] = [0, 0];
  for (let n = 2 * (frame - around); n < 2 * (frame + around); n++) {
    const sample = pcm[n] ?? 0;
    signal += sample ** 2;
    error += (sample - (heard[n] ?? 0)) ** 2;
  }
  return 10 * Math.log10(signal / error);
}

const pcm = music(28);

test.for([160_000, 96_000])("at %d bit/s, joins of chunks sound like a single pass", async (bitrate) => {
  const [single, chunked] = [await encode(pcm, bitrate, 1), await encode(pcm, bitrate, 2)];
  expect(chunked.heard.length).toBe(pcm.length);
  expect([...chunked.outputs.keys()].sort()).toEqual([...single.outputs.keys()].sort());
  const loss = (frame: number, around: number) =>
    clarity(pcm, single.heard, frame, around) - clarity(pcm, chunked.heard, frame, around);
  for (const join of [1, 2]) {
    const frame = (join * CHUNK - 1) * 1024;
    // A click lasts some packets. A rate control that has not settled is worse for seconds.
    for (const offset of [-512, 0, 512, 1024])
      expect(loss(frame + offset, 1024), `${join}, ${offset}`).toBeLessThan(2);
    expect(loss(frame + RATE / 2, RATE / 2), `the second after ${join}`).toBeLessThan(0.8);
  }
});

const OFFSETS = [-1023, 0, 1, -1026, 2 * 1024, -1024, -1, 2 * 1024 - 1, 2 * 1024 + 1];

/** Packets of the shortest chunk whose second border is far enough from its first for two encoders. */
const SHORTEST = PACKETS_PER_SEGMENT + 12;

test.for(casesOf(3, OFFSETS))(
  "a track that ends %i frames from a chunk's border keeps its length",
  async (offset) => {
    const frames = (2 * SHORTEST - 1) * 1024 + offset;
    const { heard } = await encode(sweepWithBursts(frames, RATE), 96_000, 2, SHORTEST);
    expect(heard.length / 2).toBe(frames);
  },
);

test("silence stays silent across joins", async () => {
  const { heard } = await encode(new Int16Array(RATE * 2 * 26), 160_000, 2);
  expect(heard.some((sample) => sample !== 0)).toBe(false);
});

describe("a transcoder that encodes in chunks", () => {
  let transcoder: Transcoder;
  beforeAll(async () => {
    // Fewer than two segments count as two.
    transcoder = await startTranscoder({ AAC_ENCODERS: "2", AAC_CHUNK_SEGMENTS: "1" });
  });
  afterAll(() => transcoder?.stop());

  test("stores each segment once, and every sample is heard", async () => {
    const { worker, verdict } = await transcoder.encode(sweepWav(30));
    if (verdict.outcome !== "finished") throw new Error(verdict.body.detail);
    expect(verdict.body.renditions.aac_160.segments).toBe(segmentCount(30 * RATE));
    expect(worker.refusals).toEqual([]);
    for (const folder of ["160", "96"])
      expect((await listenToHls(worker.outputs, verdict.body, folder)).length / 2).toBe(30 * RATE);
  });

  test("fails for a reason of ours if one of many encoders dies", async () => {
    const { worker, letGo } = await startPausedJob(transcoder, { file: sweepWav(20) });
    await eventually(
      "decoder, MP3, loudness, and several of each rendition",
      () => transcoder.ffmpegs().length > 5,
    );
    const last = transcoder.ffmpegs().at(-1);
    if (last) process.kill(last, "SIGKILL");
    letGo();
    expect((await worker.verdict).body).toMatchObject({ reason: "killed", retryable: true });
    await worker.close();
  });
});
