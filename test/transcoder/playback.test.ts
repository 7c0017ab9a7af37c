import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { segmentCount } from "../../functions/api/media/playlists.ts";
import type { Finished } from "../../workers/transcoder/contract.ts";
import { packetCount, segmentSpan, segmentStart } from "../../workers/transcoder/geometry.ts";
import { sweepWithBursts, wavFile } from "../support/sources/pcm.ts";
import type { GatewayProxy } from "./gateway-proxy.ts";
import { lagAt, listenToHls, listenToMp3, mp3Parts } from "./playback.support.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let transcoder: Transcoder;
const encoded = new Map<number, { pcm: Int16Array; worker: GatewayProxy; result: Finished }>();

/** Long enough for a border between two segments of full length. */
const SECONDS = 7.3;

beforeAll(async () => {
  transcoder = await startTranscoder();
  for (const rate of [44_100, 48_000]) {
    const pcm = sweepWithBursts(Math.round(SECONDS * rate), rate);
    const { worker, verdict } = await transcoder.encode(wavFile(pcm, rate));
    if (verdict.outcome !== "finished") throw new Error(verdict.body.detail);
    encoded.set(rate, { pcm, worker, result: verdict.body });
  }
});
afterAll(() => transcoder?.stop());

function listen(rate: number) {
  const found = encoded.get(rate);
  if (!found) throw new Error(`${rate} Hz were not encoded`);
  return found;
}

/** Frames to compare at: a burst near the start, two borders of segments, and the end. */
const placesIn = (frames: number): number[] => [
  Math.round(frames * 0.1),
  ...[1, 3].map((segment) => (segmentStart(segment) - 1) * 1024 - 3000),
  frames - 6000 - 1400,
];

describe.for([44_100, 48_000])("at %i Hz", (rate) => {
  test.for(["160", "96"])("HLS at %s kbit/s has the source's samples in place", async (folder) => {
    const { pcm, worker, result } = listen(rate);
    const heard = await listenToHls(worker.outputs, result, folder);
    expect(heard.length / 2).toBe(pcm.length / 2);
    for (const place of placesIn(result.frames)) {
      const { lag, likeness } = lagAt(place, pcm, heard);
      expect({ place, lag }).toEqual({ place, lag: 0 });
      expect(likeness).toBeGreaterThan(0.95);
    }
  });

  test("the MP3 has the source's samples in place", async () => {
    const { pcm, worker, result } = listen(rate);
    const mp3 = mp3Parts(worker.outputs, result.renditions.mp3_128.parts);
    expect(mp3.length).toBe(result.renditions.mp3_128.bytes);
    const heard = await listenToMp3(mp3);
    expect(heard.length).toBe(pcm.length);
    for (const place of placesIn(result.frames)) expect(lagAt(place, pcm, heard).lag).toBe(0);
  });
});

test("segments follow one another without gap or overlap", () => {
  const { worker, result } = listen(44_100);
  for (const folder of ["160", "96"]) {
    let expected = 0n;
    for (let n = 0; n < result.renditions.aac_160.segments; n++) {
      const segment = worker.outputs.get(`hls/${folder}/${n}.m4s`) ?? Buffer.alloc(0);
      expect(decodeTimeOf(segment)).toBe(expected);
      expected += durationOf(segment);
    }
    expect(expected).toBe(BigInt(result.frames + 1024));
  }
});

const decodeTimeOf = (segment: Buffer) => segment.readBigUInt64BE(segment.indexOf("tfdt") + 8);

/** Only the last segment's `trun` states durations. */
function durationOf(segment: Buffer): bigint {
  const trun = segment.indexOf("trun");
  const packets = segment.readUInt32BE(trun + 8);
  if ((segment.readUInt32BE(trun + 4) & 0x100) === 0) return BigInt(packets * 1024);
  let sum = 0;
  for (let n = 0; n < packets; n++) sum += segment.readUInt32BE(trun + 16 + 8 * n);
  return BigInt(sum);
}

// A few are stored in parallel, so their order varies.
test("every segment is stored once, and the first heartbeat counts none", () => {
  const { worker } = listen(44_100);
  const segments = worker.stored.filter((name) => name.startsWith("hls/160/"));
  const numbers = ["0", "1", "2", "3"];
  expect(segments.sort()).toEqual([...numbers.map((n) => `hls/160/${n}.m4s`), "hls/160/init.mp4"]);
  expect(worker.beats.at(0)).toMatchObject({ segments_ready: 0 });
});

test("segments of any length meet, and their durations add up to the track's", () => {
  for (const frames of [
    1,
    1023,
    1024,
    1025,
    85 * 1024,
    257 * 1024,
    257 * 1024 + 1,
    258 * 1024,
    44_100 * 3600,
  ]) {
    let at = 0;
    for (let n = 0; n < segmentCount(frames); n++) {
      const { from, to } = segmentSpan(n, frames);
      expect(from).toBe(at);
      expect(to).toBeGreaterThan(from);
      at = to;
    }
    expect(at).toBe(frames);
    expect(packetCount(frames)).toBe(Math.ceil(frames / 1024) + 1);
  }
});
