import { describe, expect, test } from "vitest";
import { type Chunk, ChunkCollector, chunkAt } from "../../functions/lib/http/files/chunks.ts";

const KIB = 1024;
const PART = 8 * KIB * KIB;
const SIZE = 2 * PART + 700 * KIB;

describe("chunks", () => {
  test("divide each part from its start; the last ends with the file", () => {
    expect(chunkAt(0, SIZE, PART)).toEqual({
      start: 0,
      end: 512 * KIB - 1,
      part: 0,
      within: { start: 0, end: 512 * KIB - 1 },
    });
    expect(chunkAt(PART + 512 * KIB, SIZE, PART)).toMatchObject({ start: PART + 512 * KIB, part: 1 });
    expect(chunkAt(SIZE - 1, SIZE, PART)).toEqual({
      start: 2 * PART + 512 * KIB,
      end: SIZE - 1,
      part: 2,
      within: { start: 512 * KIB, end: 700 * KIB - 1 },
    });
  });

  test("never span two parts, however short a part is", () => {
    expect(chunkAt(999, 2_500, 1_000)).toMatchObject({ start: 0, end: 999, part: 0 });
    expect(chunkAt(2_400, 2_500, 1_000)).toMatchObject({ start: 2_000, end: 2_499, part: 2 });
  });
});

describe("a collector", () => {
  const chunkOf = (at: number) => chunkAt(at, SIZE, PART);
  const content = (start: number, end: number) =>
    Uint8Array.from({ length: end - start + 1 }, (_, at) => ((start + at) * 7) % 251);

  /** Sends a range through in pieces, and returns the chunks that were stored. */
  function collected(start: number, end: number, step: number): [number, Uint8Array][] {
    const chunks: [number, Uint8Array][] = [];
    const store = async (chunk: Chunk, bytes: Uint8Array) => void chunks.push([chunk.start, bytes]);
    const collector = new ChunkCollector({ start, end }, chunkOf, store);
    const all = content(start, end);
    for (let at = 0; at < all.length; at += step) collector.take(all.subarray(at, at + step));
    return chunks;
  }

  test.each([1_000, 64 * KIB, 512 * KIB, 3 * KIB * KIB])(
    "stores every chunk that passes whole, in pieces of %i bytes",
    (step) => {
      const chunks = collected(100, 4 * 512 * KIB + 50, step);
      expect(chunks.map(([start]) => start)).toEqual([1, 2, 3].map((n) => n * 512 * KIB));
      for (const [start, bytes] of chunks)
        expect(Buffer.compare(bytes, content(start, start + 512 * KIB - 1))).toBe(0);
    },
  );

  test("stores the short last chunk of the file, and nothing of a range within one chunk", () => {
    expect(collected(2 * PART + 512 * KIB, SIZE - 1, 64 * KIB).map(([, { length }]) => length)).toEqual([
      188 * KIB,
    ]);
    expect(collected(0, 1_000, 500)).toEqual([]);
  });

  test("passes on what exceeds the limit of all collectors together, until chunks are stored", async () => {
    const writes: (() => void)[] = [];
    const starts: number[] = [];
    const store = (chunk: Chunk) => {
      starts.push(chunk.start);
      return new Promise<void>((resolve) => writes.push(resolve));
    };
    const whole = content(0, 512 * KIB - 1);
    const pass = () => new ChunkCollector({ start: 0, end: whole.length - 1 }, chunkOf, store).take(whole);
    for (let n = 0; n < 40; n++) pass();
    expect(starts).toHaveLength(32);
    for (const finish of writes) finish();
    await new Promise((wake) => setTimeout(wake));
    pass();
    expect(starts).toHaveLength(33);
    writes.at(-1)?.();
  });
});
