import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { readAdts } from "../../workers/transcoder/adts.ts";
import type { OutputRate } from "../../workers/transcoder/fmp4.ts";
import { packetCount, segmentSpan, segmentStart } from "../../workers/transcoder/geometry.ts";
import type { Put } from "../../workers/transcoder/outputs.ts";
import { packSegments } from "../../workers/transcoder/segments.ts";

const RATE: OutputRate = 44_100;

/** The fourth segment is the last, and a short one. */
const FRAMES = segmentStart(3) * 1024 + 500;

/** The second segment is the largest. */
async function* encoded(packets = packetCount(FRAMES)): AsyncGenerator<Buffer> {
  for (let n = 0; n < packets; n++)
    yield Buffer.alloc(n >= segmentStart(1) && n < segmentStart(2) ? 400 : 10);
}

const pack = (put: Put, packets = encoded()) =>
  packSegments({ packets, totalFrames: () => FRAMES, put, folder: "hls/96", rate: RATE, bitrate: 96_000 });

/** Storage that takes each file when a test says so. */
function slowStorage() {
  const asked: string[] = [];
  const take = new Map<string, () => void>();
  return {
    asked,
    take: (name: string) => take.get(`hls/96/${name}`)?.(),
    put: (name: string) => {
      asked.push(name);
      return new Promise<void>((resolve) => take.set(name, resolve));
    },
  };
}

/** Lets everything run that waits for nothing else. */
async function settle(): Promise<void> {
  for (let times = 0; times < 20; times++) await turn();
}

test("the last segment is stored, but never reported as a whole one", async () => {
  const { ready, rendition } = pack(async () => {});
  expect((await rendition).segments).toBe(4);
  expect(ready()).toBe(3);
});

test("a player that chooses by bandwidth hears of the largest segment's, and of the mean", async () => {
  const sizes: number[] = [];
  const { rendition } = pack(async (name, _type, { length }) => {
    if (name.endsWith(".m4s")) sizes.push(length);
  });
  const bandwidth = (bytes: number, frames: number) => Math.ceil((bytes * 8 * RATE) / frames);
  const { from, to } = segmentSpan(1, FRAMES);
  expect(await rendition).toMatchObject({
    bandwidth: bandwidth(sizes[1] ?? 0, to - from),
    average_bandwidth: bandwidth(
      sizes.reduce((sum, bytes) => sum + bytes, 0),
      FRAMES,
    ),
  });
});

test("no segment is stored ahead of the one that begins every playlist", async () => {
  const storage = slowStorage();
  pack(storage.put);
  await settle();
  expect(storage.asked).toEqual(["hls/96/init.mp4"]);
  storage.take("init.mp4");
  await expect.poll(() => storage.asked).toContain("hls/96/0.m4s");
});

test("segments count from the first without a gap, and three are stored at a time", async () => {
  const storage = slowStorage();
  const { ready, rendition } = pack(storage.put);
  await settle();
  storage.take("init.mp4");
  await settle();
  expect(storage.asked.slice(1)).toEqual([0, 1, 2].map((n) => `hls/96/${n}.m4s`));
  for (const [stored, counted] of [
    [1, 0],
    [0, 2],
    [2, 3],
  ]) {
    storage.take(`${stored}.m4s`);
    await settle();
    expect(ready()).toBe(counted);
  }
  storage.take("3.m4s");
  expect((await rendition).segments).toBe(4);
});

test.for(["init.mp4", "0.m4s", "2.m4s", "3.m4s"])("a track whose %s cannot be stored fails", async (lost) => {
  const { rendition } = pack(async (name) => {
    await turn();
    if (name.endsWith(lost)) throw new Error("no space");
  });
  await expect(rendition).rejects.toThrow("no space");
});

test.for([-1, 1])("a track that has %i packet more than its length fails", async (more) => {
  const { rendition } = pack(async () => {}, encoded(packetCount(FRAMES) + more));
  await expect(rendition).rejects.toThrow(`packets for ${FRAMES} frames`);
});

test("an encoder whose output ends inside a packet fails its track", async () => {
  const cut = [adtsPacket(100), adtsPacket(100).subarray(0, -1)];
  const read = async () => {
    for await (const packet of readAdts(Readable.from(cut))) expect(packet).toHaveLength(93);
  };
  await expect(read()).rejects.toThrow("ends inside a packet");
});

/** A header of seven bytes that counts itself, and zeros. */
function adtsPacket(bytes: number): Buffer {
  const packet = Buffer.alloc(bytes);
  packet.set([0xff, 0xf1, 0x50, 0x80, bytes >> 3, (bytes & 7) << 5]);
  return packet;
}
