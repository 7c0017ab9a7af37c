import { expect, test } from "vitest";
import { isDamaged } from "../../workers/transcoder/mpeg-damage.ts";

test("forty megabytes are walked in three reads, none beyond the end", async () => {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  const file = Buffer.alloc(40 * 2 ** 20, frame);
  const reads: number[] = [];
  const readAt = async (offset: number, length: number) => {
    reads.push(offset + length);
    return file.subarray(offset, offset + length);
  };
  expect(await isDamaged(readAt, { from: 0, to: file.length })).toBe(false);
  expect(reads).toHaveLength(3);
  expect(Math.max(...reads)).toBe(file.length);
});
