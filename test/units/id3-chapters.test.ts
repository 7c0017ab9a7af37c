import { expect, test } from "vitest";
import { id3Chapters } from "../../workers/transcoder/id3-chapters.ts";
import { apic, id3Tag, type TaggedChapter } from "../support/id3.ts";
import { readInLittleMemory } from "../support/little-memory.ts";

const chaptersIn = (file: Buffer) =>
  id3Chapters(async (offset, length) => file.subarray(offset, offset + length), file.length);

const chapter = (start: number, picture: Buffer): TaggedChapter => ({
  start,
  end: start + 1_000,
  title: "A part",
  apic: picture,
});

const IMAGE = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x01, 0xff, 0x00, 0x02, 0xff]);
const LONG = Buffer.alloc(100_000, "second");

test.each([
  [3, false],
  [4, false],
  [3, true],
  [4, true],
] as const)(
  "version %i, unsynchronised %s: chapters have times, titles and pictures",
  async (version, isUnsynchronised) => {
    const file = id3Tag([chapter(0, apic(IMAGE)), chapter(1_000, apic(LONG))], { version, isUnsynchronised });
    expect(await chaptersIn(Buffer.concat([file, LONG]))).toEqual([
      { start: 0, end: 1_000, title: "A part", image: IMAGE },
      { start: 1_000, end: 2_000, title: "A part", image: LONG },
    ]);
  },
);

test("sizes of version 4 that are written like those of version 3 are seen by what follows", async () => {
  const file = id3Tag([chapter(0, apic(LONG)), chapter(1_000, apic(IMAGE))], {
    version: 3,
    isUnsynchronised: false,
  });
  file[3] = 4;
  expect(await chaptersIn(file)).toMatchObject([{ image: LONG }, { image: IMAGE }]);
});

test("a description of wide letters ends at a wide zero", async () => {
  const wide = Buffer.from("\x01image/png\0\x03", "latin1");
  const words = Buffer.from("\ufeffĀ\0", "utf16le");
  const file = id3Tag([chapter(0, Buffer.concat([wide, words, IMAGE]))]);
  expect(await chaptersIn(file)).toMatchObject([{ image: IMAGE }]);
});

test.each([
  ["no tag", Buffer.from("RIFF of some bytes")],
  ["nothing", Buffer.alloc(0)],
  ["a tag that goes on after the file", Buffer.from("ID3\x04\0\0\x7f\x7f\x7f\x7f", "latin1")],
])("%s has no chapters", async (_what, file) => {
  expect(await chaptersIn(file)).toEqual([]);
});

test.each([
  ["without a description's end", Buffer.from("\0image/png\0\0x")],
  ["without a type", Buffer.from([0])],
  ["without an image", apic(Buffer.alloc(0))],
])("a picture %s leaves its chapter alone", async (_what, picture) => {
  expect(await chaptersIn(id3Tag([chapter(0, picture)]))).toEqual([
    { start: 0, end: 1_000, title: "A part" },
  ]);
});

test("a tag that is cut or changed at any byte ends nothing", async () => {
  const whole = id3Tag([chapter(0, apic(IMAGE)), chapter(1_000, apic(IMAGE))]);
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at] = 0xff;
    for (const file of [whole.subarray(0, at), changed])
      expect((await chaptersIn(file)).length).toBeLessThanOrEqual(2);
  }
});

test.each([
  ["millions of empty frames", [4, 0, 0], "TIT2\0\0\0\0\0\0"],
  ["a zero inserted after each byte", [3, 0, 0x80], "\xff\0"],
])("a tag of %s takes little memory", (_what, head, fill) => {
  const file = Buffer.alloc(32 * 1024 * 1024, fill, "latin1");
  file.set([0x49, 0x44, 0x33, ...head, 0x0f, 0x7f, 0x7f, 0x76]);
  expect(readInLittleMemory("workers/transcoder/id3-chapters.ts", "id3Chapters", file)).toBe("[]");
});
