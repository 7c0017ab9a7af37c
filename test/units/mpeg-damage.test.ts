import { expect, test } from "vitest";
import { isDamaged } from "../../workers/transcoder/mpeg-damage.ts";

const FRAME = Buffer.alloc(417);
FRAME.set([0xff, 0xfb, 0x90, 0x00]);

const ID3V1 = Buffer.from("TAG".padEnd(128, "\0"));

/** Its one field is as long as a line end's code. */
function apeV1(text = "thirteen char"): Buffer {
  const length = Buffer.alloc(8);
  length.writeUInt32LE(text.length);
  const fields = Buffer.concat([length, Buffer.from(`Title\0${text}`)]);
  const footer = Buffer.alloc(32);
  footer.write("APETAGEX");
  footer.writeUInt32LE(1000, 8);
  footer.writeUInt32LE(fields.length + footer.length, 12);
  return Buffer.concat([fields, footer]);
}

const lyrics = (body: string, end: string) => Buffer.from(`LYRICSBEGIN${body}${end}`);

const damaged = (...parts: Buffer[]) => {
  const file = Buffer.concat(parts);
  const readAt = async (offset: number, length: number) => file.subarray(offset, offset + length);
  return isDamaged(readAt, { from: 0, to: file.length });
};

test.each([
  ["APEv1 tag", apeV1()],
  ["APEv1 tag behind padding", Buffer.concat([Buffer.alloc(50), apeV1("a".repeat(300))])],
  ["Lyrics3 1.00", lyrics("[00:01]La", "LYRICSEND")],
  ["Lyrics3 2.00", lyrics("LYR00009[00:01]La", "000028LYRICS200")],
])("%s behind or between frames is no damage", async (_name, tag) => {
  expect(await damaged(FRAME, FRAME, tag, ID3V1)).toBe(false);
  expect(await damaged(FRAME, tag, FRAME, tag)).toBe(false);
  // It lies across the end of what is read at once.
  const until = Buffer.alloc(16 * 2 ** 20 - 200, FRAME);
  const whole = until.subarray(0, until.length - (until.length % FRAME.length));
  expect(await damaged(whole, tag, FRAME)).toBe(false);
});

test("what only begins or ends like a tag is damage", async () => {
  for (const rest of [apeV1().subarray(3), lyrics("La", ""), Buffer.from("noise"), apeV1().subarray(0, -32)])
    expect(await damaged(FRAME, rest)).toBe(true);
});

test("forty megabytes are walked in three reads, none beyond the end", async () => {
  const file = Buffer.alloc(40 * 2 ** 20, FRAME);
  const reads: number[] = [];
  const readAt = async (offset: number, length: number) => {
    reads.push(offset + length);
    return file.subarray(offset, offset + length);
  };
  expect(await isDamaged(readAt, { from: 0, to: file.length })).toBe(false);
  expect(reads).toHaveLength(3);
  expect(Math.max(...reads)).toBe(file.length);
});
