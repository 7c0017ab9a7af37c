import { expect, test } from "vitest";
import { sniff } from "../../workers/transcoder/sniff.ts";

const sniffed = (file: Buffer) =>
  sniff(async (offset, length) => file.subarray(offset, offset + length), file.length);

const bytes = (text: string) => Buffer.from(text.padEnd(400, "\0"), "latin1");

test.each([
  ["RIFF....WAVE", "wav", "wav"],
  ["RIFX....WAVE", "wav", "wav"],
  ["RF64....WAVE", "wav", "wav"],
  ["BW64....WAVE", "wav", "wav"],
  ["FORM....AIFF", "aiff", "aiff"],
  ["FORM....AIFC", "aiff", "aiff"],
  ["fLaC", "flac", "flac"],
  ["OggS", "ogg", "ogg"],
  ["#!AMR\n", "amr", "amr"],
  ["#!AMR-WB\n", "amr", "amr"],
  ["\0\0\0\x20ftypM4A ", "aac", "mov"],
  ["\0\0\0\x08wide\0\0\x10\0mdat", "aac", "mov"],
  ["\0\0\0\x08free\0\0\0\x20ftyp", "aac", "mov"],
  ["\0\0\0\x08skip", "aac", "mov"],
  ["\0\0\x10\0mdat", "aac", "mov"],
  ["\0\0\x10\0moov", "aac", "mov"],
])("a file that begins with %j is %s", async (head, family, demuxer) => {
  expect(await sniffed(bytes(head))).toEqual({ family, demuxer, junkBytes: 0 });
});

test.each(["RIFF....AVI ", "FORM....8SVX", "\0\0\0\x20jP  ", "#!AMR", "OggZ", "#EXTM3U\n"])(
  "one that begins with %j is refused",
  async (head) => {
    await expect(sniffed(bytes(head))).rejects.toMatchObject({ reason: "unsupported_format" });
  },
);

/** An ID3 tag of this many bytes in its body. With a footer it has ten more. */
function id3(body: number, hasFooter = false): Buffer {
  const flags = hasFooter ? 0x10 : 0;
  const size = [21, 14, 7, 0].map((shift) => (body >> shift) & 127);
  return Buffer.concat([
    Buffer.from(["I", "D", "3"].map((letter) => letter.charCodeAt(0))),
    Buffer.from([4, 0, flags, ...size]),
    Buffer.alloc(body + (hasFooter ? 10 : 0), "x"),
  ]);
}

test("several tags ahead of a file are skipped, footers and long ones too", async () => {
  for (const tags of [
    [id3(20)],
    [id3(20, true)],
    [id3(100_000), id3(300, true), id3(0), id3(70_000)],
    [id3(200_000, true)],
  ])
    expect(await sniffed(Buffer.concat([...tags, bytes("fLaC")]))).toMatchObject({ family: "flac" });
});

/** Frames of this length without a bit rate, of MPEG-1 layer III at 44.1 kHz. */
const freeFrames = (count: number, length: number) =>
  Buffer.concat(
    Array.from({ length: count }, () =>
      Buffer.concat([Buffer.from([0xff, 0xfb, 0x00, 0xc4]), Buffer.alloc(length - 4, 1)]),
    ),
  );

test("an MP3 of free format is refused as such, behind a tag too", async () => {
  for (const front of [Buffer.alloc(0), id3(300)])
    await expect(sniffed(Buffer.concat([front, freeFrames(8, 835)]))).rejects.toMatchObject({
      reason: "free_format",
    });
  await expect(sniffed(Buffer.alloc(60_000, "\xff\xfb\x00\x01", "latin1"))).rejects.toMatchObject({
    reason: expect.stringMatching(/_format$/),
  });
});

test("a WAVE behind a tag begins behind it, where its chunks are counted", async () => {
  const front = id3(20);
  expect(await sniffed(Buffer.concat([front, bytes("RIFF....WAVE")]))).toMatchObject({
    junkBytes: front.length,
  });
});

test("zeros and APEv2 tags ahead of a file are skipped, but not ahead of a movie, which counts from the beginning", async () => {
  const ape = Buffer.alloc(32 + 500);
  ape.write("APETAGEX", "latin1");
  ape.writeUInt32LE(500, 12);
  for (const front of [ape, Buffer.alloc(100_000), Buffer.concat([id3(20), ape, Buffer.alloc(200)])]) {
    const found = await sniffed(Buffer.concat([front, bytes("fLaC")]));
    expect(found).toMatchObject({ family: "flac", junkBytes: front.length });
    await expect(sniffed(Buffer.concat([front, bytes("\0\0\0\x20ftypM4A ")]))).rejects.toMatchObject({
      reason: "unsupported_format",
    });
  }
});
