import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asset } from "./assets.support.ts";

interface Read {
  fields: Record<string, string | undefined>;
  artwork?: File;
}

const { readTags } = (await asset("upload/upload-tags.ts")) as {
  readTags(file: Blob): Promise<Read>;
};

const id3 = () =>
  asset("upload/upload-id3.ts") as Promise<{
    withPlainId3(file: Blob): Promise<Blob>;
  }>;

type Version = 3 | 4;

const sevenBits = (value: number) => Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 127));

function plain(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A frame of a tag. id3.org/id3v2.4.0-structure §4 */
const frame = (id: string, content: Uint8Array, size: (value: number) => Buffer) =>
  Buffer.concat([Buffer.from(id), size(content.length), Buffer.alloc(2), content]);

/** Words behind the number of their encoding: 0 is ISO 8859-1, 1 UTF-16, 3 UTF-8. */
const words = (encoding: 0 | 1 | 3, text: Uint8Array | string) =>
  Buffer.concat([Buffer.from([encoding]), Buffer.from(text as Uint8Array)]);

/** A frame of MP3 follows the tag. */
const SOUND = Buffer.from([0xff, 0xfb, 0x50, 0x64, ...Array(180).fill(0)]);

function tag(version: Version, frames: Buffer[], flags = 0): File {
  const body = Buffer.concat(frames);
  const head = Buffer.from([0x49, 0x44, 0x33, version, 0, flags]);
  const file = Buffer.concat([head, sevenBits(body.length), body, SOUND]);
  return new File([file], "song.mp3", { type: "audio/mpeg" });
}

const sizesOf = (version: Version) => (version === 3 ? plain : sevenBits);

const titled = (version: Version, artist: Uint8Array, title = words(0, "Song")) =>
  tag(version, [frame("TIT2", title, sizesOf(version)), frame("TPE1", artist, sizesOf(version))]);

test("an artist whose name has a slash keeps it", async () => {
  expect((await readTags(titled(3, words(0, "AC/DC")))).fields).toMatchObject({
    title: "Song",
    artist: "AC/DC",
  });
});

test("so it does where the tag's bytes are unsynchronised", async () => {
  const frames = [
    frame("TIT2", words(0, "Song"), plain),
    // The mark of UTF-16 begins with 0xff.
    frame("TPE1", Buffer.from("\x01\xff\xfeA\0C\0/\0D\0C\0", "latin1"), plain),
  ];
  const stored = frames.map((one) =>
    Buffer.from(one.toString("latin1").replace(/\xff/g, "\xff\0"), "latin1"),
  );
  expect((await readTags(tag(3, stored, 0x80))).fields).toMatchObject({ title: "Song", artist: "AC/DC" });
});

/** A comment of Vorbis: a count, then each with its length. */
function flacWith(...comments: string[]): Blob {
  const count = (value: number) => Buffer.from(plain(value)).reverse();
  const texts = comments.flatMap((text) => [count(Buffer.byteLength(text)), Buffer.from(text)]);
  const block = Buffer.concat([count(0), count(comments.length), ...texts]);
  const info = Buffer.alloc(38);
  info.writeUInt32BE(34);
  const head = Buffer.from([0x84, 0, block.length >> 8, block.length & 255]);
  return new Blob([Buffer.concat([Buffer.from("fLaC"), info, head, block])], { type: "audio/flac" });
}

const stored = async (name: string) => new Blob([await readFile(join(import.meta.dirname, "tags", name))]);

test.for([
  ["an ID3 tag", async () => titled(4, words(3, "Ana\0Ben\0Cem")), "Ana, Ben, Cem"],
  ["a FLAC", async () => flacWith("ARTIST=Ana", "ARTIST=Ben", "ARTIST=Cem"), "Ana, Ben, Cem"],
  [
    "a FLAC that joins them",
    async () => flacWith("ARTIST=Ana & Ben", "ARTISTS=Ana", "ARTISTS=Ben"),
    "Ana & Ben",
  ],
  ["an M4A", () => stored("artists.m4a"), "Ana, Ben"],
  ["an Ogg", () => stored("artists.ogg"), "Ana, Ben"],
] as const)("all artists of %s are named", async ([, file, artist]) => {
  expect((await readTags(await file())).fields.artist).toBe(artist);
});

/** A picture that is named as a JPEG: only its length counts here. */
const cover = (bytes: number) =>
  Buffer.concat([
    Buffer.from("\0image/jpeg\0\x03\0", "latin1"),
    Buffer.alloc(bytes, "\xff\xd8\xff", "latin1"),
  ]);

test.for([
  ["plain sizes in a tag of version 2.4, as of iTunes", 4, plain],
  ["sizes of seven bits in one of version 2.3", 3, sevenBits],
  ["the sizes of its version", 4, sevenBits],
] as const)("nothing is lost and no picture cut by %s", async ([, version, size]) => {
  const { fields, artwork } = await readTags(
    tag(version, [
      frame("TIT2", words(0, "Plain sizes"), size),
      frame("APIC", cover(665), size),
      frame("TPE1", words(0, "The Plains"), size),
      frame("TCON", words(0, "Folk"), size),
      Buffer.alloc(50),
    ]),
  );
  expect(fields).toMatchObject({ title: "Plain sizes", artist: "The Plains", genre: "Folk" });
  expect(artwork?.size).toBe(665);
});

function infoWave(title: Buffer): Blob {
  const chunk = (id: string, content: Buffer) => {
    const size = Buffer.from(plain(content.length)).reverse();
    return Buffer.concat([Buffer.from(id), size, content, Buffer.alloc(content.length % 2)]);
  };
  const list = chunk("LIST", Buffer.concat([Buffer.from("INFO"), chunk("INAM", title)]));
  const format = chunk("fmt ", Buffer.from("0100010044ac000088580100020010 00".replace(" ", ""), "hex"));
  const sound = chunk("data", Buffer.alloc(400));
  return new Blob([chunk("RIFF", Buffer.concat([Buffer.from("WAVE"), format, list, sound]))]);
}

const CAFE = "Café – déjà";
const CAFE_1252 = Buffer.from("Caf\xe9 \x96 d\xe9j\xe0", "latin1");
const UTF_8 = Buffer.from(CAFE);

test.for([
  ["UTF-8 of a WAVE", infoWave(Buffer.concat([UTF_8, Buffer.alloc(1)])), CAFE],
  ["Windows-1252 of a WAVE", infoWave(CAFE_1252), CAFE],
  ["UTF-8 that an ID3 tag calls ISO 8859-1", titled(3, words(0, "Ana"), words(0, UTF_8)), CAFE],
  ["Windows-1252 of an ID3 tag", titled(4, words(0, "Ana"), words(0, CAFE_1252)), CAFE],
] as const)("the title is read as it was meant: %s", async ([, file, title]) => {
  expect((await readTags(file)).fields.title).toBe(title);
});

const GUESSES = [
  ["Russian", "cff0e8e2e5f22c20ece8f0", "Привет, мир"],
  ["Russian with a word of English", "444a20c3f0f3e2", "DJ Грув"],
  ["Japanese", "82b182f182c982bf82cd90a28a45", "こんにちは世界"],
  ["Icelandic", "c1f072fa6e20f3736b", "Áðrún ósk"],
  ["French in capitals", "c9c9", "ÉÉ"],
  ["Swedish", "c55345", "ÅSE"],
] as const;

test.for(GUESSES)("a guess stands in the form for correction: %s", async ([, bytes, artist]) => {
  expect((await readTags(titled(3, words(0, Buffer.from(bytes, "hex"))))).fields.artist).toBe(artist);
});

test("words whose encoding is declared are no matter of guesses", async () => {
  expect((await readTags(titled(4, words(3, "ÅÄÖ")))).fields.artist).toBe("ÅÄÖ");
  expect((await readTags(flacWith("ARTIST=ÅÄÖ"))).fields.artist).toBe("ÅÄÖ");
});

test("a tag that cannot be read leaves the fields empty", async () => {
  for (const frames of [[frame("TIT2", Buffer.alloc(0), plain)], [Buffer.from("....")]])
    expect((await readTags(tag(3, frames))).fields.title).toBeUndefined();
});

test("a tag whose length has eight bits a byte leaves the file as it is", async () => {
  const bytes = Buffer.from(await titled(3, words(0, "Ana")).arrayBuffer());
  bytes.writeUInt32BE(0x80, 6);
  const file = new File([bytes], "song.mp3");
  expect(await (await id3()).withPlainId3(file)).toBe(file);
});
