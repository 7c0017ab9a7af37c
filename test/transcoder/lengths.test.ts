import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { segmentCount } from "../../functions/api/media/playlists.ts";
import { packMp3 } from "../../workers/transcoder/mp3.ts";
import { casesOf } from "../support/repeats.ts";
import { clicks, sweepWithBursts, wavFile } from "../support/sources/pcm.ts";
import { listenToHls, listenToMp3, mp3Parts } from "./playback.support.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let transcoder: Transcoder;
beforeAll(async () => {
  transcoder = await startTranscoder();
});
afterAll(() => transcoder?.stop());

// Around the edges of packets and segments, where an encoder may flush one packet more or less.
const LENGTHS = [1, 85 * 1024 + 1, 258 * 1024, 1025, 257 * 1024, 700, 1024, 85 * 1024, 257 * 1024 + 1];

test.for(casesOf(3, LENGTHS))("%i frames keep their number", async (frames) => {
  const { worker, verdict } = await transcoder.encode(wavFile(sweepWithBursts(frames, 44_100), 44_100));
  if (verdict.outcome !== "finished") throw new Error(verdict.body.detail);
  const result = verdict.body;
  expect(result.frames).toBe(frames);
  expect(result.renditions.aac_96.segments).toBe(segmentCount(frames));
  expect((await listenToHls(worker.outputs, result)).length / 2).toBe(frames);
  expect((await listenToMp3(mp3Parts(worker.outputs, 1))).length / 2).toBe(frames);
});

test.for(casesOf(1, [22, 10, 1]))(
  "a file of %i frames, under half a millisecond, finishes with a length of one",
  async (frames) => {
    const { worker, verdict } = await transcoder.encode(wavFile(sweepWithBursts(frames, 44_100), 44_100));
    expect(verdict).toMatchObject({ outcome: "finished", body: { frames, duration_ms: 1 } });
    expect(worker.refusals).toEqual([]);
  },
);

test("the preview of a longer track is its first 30 s", async () => {
  const { worker, verdict } = await transcoder.encode(wavFile(clicks(44_100 * 31, 44_100), 44_100));
  if (verdict.outcome !== "finished") throw new Error(verdict.body.detail);
  const preview = worker.outputs.get("preview.mp3") ?? Buffer.alloc(0);
  expect(preview).toHaveLength(verdict.body.renditions.preview_mp3_128.bytes);
  expect((await listenToMp3(preview)).length / 2).toBe(30 * 44_100);
});

async function* packetsOf(bytes: number): AsyncGenerator<Buffer> {
  for (let left = bytes; left > 0; left -= 417) yield Buffer.alloc(Math.min(left, 417));
}

const PART = 8 * 1024 * 1024;
const HEAD = 417;

test.for([
  ["a byte less than one part", PART - 1, 1],
  ["exactly one part", PART, 1],
  ["a byte more than one part", PART + 1, 2],
  ["exactly two parts", 2 * PART, 2],
] as const)("the MP3 is cut every 8 MiB: %s", async ([, bytes, parts]) => {
  const stored = new Map<string, Uint8Array>();
  const { mp3_128 } = await packMp3({
    packets: packetsOf(bytes - HEAD),
    totalFrames: () => 1000,
    rate: 44_100,
    put: async (name, _, body) => void stored.set(name, Uint8Array.from(body)),
  });
  expect(mp3_128).toEqual({ bytes, parts, part_bytes: PART });
  const names = Array.from({ length: parts }, (_, n) => `mp3/${n}.mp3`);
  const sizes = names.map((name) => stored.get(name)?.length);
  expect(sizes).toEqual([...Array(parts - 1).fill(PART), bytes - (parts - 1) * PART]);
  expect([...stored.keys()].filter((name) => name.startsWith("mp3/")).at(-1)).toBe("mp3/0.mp3");
  const first = Buffer.from(stored.get("mp3/0.mp3") ?? []);
  expect(first.readUInt32BE(first.indexOf("Info") + 12)).toBe(bytes);
});

test("an MP3 with a packet too few fails instead of losing the track's end", async () => {
  // 576 and 529 frames of delay go first.
  const frames = 10 * 1152 - 576 - 529;
  const pack = (packets: number) =>
    packMp3({
      packets: packetsOf(packets * 417),
      rate: 44_100,
      totalFrames: () => frames,
      put: async () => {},
    });
  await expect(pack(9)).rejects.toThrow("9 MP3 packets are too few");
  expect((await pack(10)).mp3_128.bytes).toBe(HEAD + 10 * 417);
});

test("parts of a long MP3 hold their own bytes until slow storage has taken them", async () => {
  async function* numbered(bytes: number): AsyncGenerator<Buffer> {
    for (let n = 0; n * 512 < bytes; n++) {
      const packet = Buffer.alloc(512);
      packet.writeUInt32BE(n);
      yield packet;
    }
  }
  const stored = new Map<string, Buffer>();
  const { mp3_128 } = await packMp3({
    packets: numbered(5.5 * PART),
    totalFrames: () => 1000,
    rate: 44_100,
    async put(name, _, body) {
      await sleep(50);
      stored.set(name, Buffer.from(body));
    },
  });
  const whole = Buffer.concat(
    Array.from({ length: 6 }, (_, n) => stored.get(`mp3/${n}.mp3`) ?? Buffer.alloc(0)),
  );
  expect(whole).toHaveLength(mp3_128.bytes);
  const numbers = Array.from({ length: (whole.length - HEAD) / 512 }, (_, n) =>
    whole.readUInt32BE(HEAD + n * 512),
  );
  expect(numbers).toEqual(numbers.map((_, n) => n));
});
