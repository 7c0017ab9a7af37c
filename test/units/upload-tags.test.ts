import { expect, test } from "vitest";
import { asset } from "./assets.support.ts";

interface Tags {
  readTags(file: Blob): Promise<{ fields: Record<string, string | undefined> }>;
}

const tags = () => asset("upload/upload-tags.ts") as Promise<Tags>;

/** The tags of an MP3: frames of ISO 8859-1. id3.org/id3v2.3.0 §3 */
function tagged(frames: Record<string, string>): Blob {
  const body = Object.entries(frames).map(([id, text]) => {
    const head = Buffer.from(`${id}\0\0\0\0\0\0\0`, "latin1");
    head.writeUInt32BE(text.length + 1, 4);
    return Buffer.concat([head, Buffer.from(text, "latin1")]);
  });
  const { length } = Buffer.concat(body);
  const head = Buffer.from([
    ..."ID3".split("").map((letter) => letter.charCodeAt(0)),
    3,
    0,
    0,
    0,
    0,
    length >> 7,
    length & 127,
  ]);
  return new Blob([head, ...body], { type: "audio/mpeg" });
}

test("a file's tags give label, ISRC, tempo and key", async () => {
  const file = tagged({ TPUB: "Tag Records", TSRC: " GBTAG1900001 ", TBPM: "124", TKEY: "Am" });
  expect((await (await tags()).readTags(file)).fields).toMatchObject({
    label_name: "Tag Records",
    isrc: "GBTAG1900001",
    bpm: "124",
    key_signature: "Am",
  });
});

test.for([
  ["quotes and dashes of Windows-1252", "Don\x92t stop \x96 live", "Don’t stop – live"],
  ["line ends and tabs", "One\r\ntwo\tthree", "One two three"],
  ["other controls", "\x01One\x8dtwo\x07", "One two"],
  ["a title of the greatest length", "t".repeat(255), "t".repeat(255)],
  ["a longer one", "t".repeat(256), undefined],
  ["a title that nobody could see", "\xad", undefined],
] as const)("a title from a tag is one that the API takes: %s", async ([, written, title]) => {
  const { fields } = await (await tags()).readTags(tagged({ TIT2: written, TPE1: written.slice(0, 9) }));
  expect(fields.title).toBe(title);
  for (const text of Object.values(fields)) expect(text ?? "").not.toMatch(/\p{Cc}/u);
});

test.for([
  ["TSRC", "isrc", "G".repeat(51)],
  ["TSRC", "isrc", "GB\u0007"],
  ["TSRC", "isrc", "unknown"],
  ["TBPM", "bpm", "0"],
  ["TBPM", "bpm", "1001"],
  ["TBPM", "bpm", "fast"],
  ["TKEY", "key_signature", "A".repeat(51)],
] as const)("a tag that the API would refuse is left out: %s", async ([frame, field, text]) => {
  const { fields } = await (await tags()).readTags(tagged({ TIT2: "Song", [frame]: text }));
  expect([fields.title, fields[field]]).toEqual(["Song", undefined]);
});

const artistsFrom = async (frames: Record<string, string>) => {
  const { fields } = await (await tags()).readTags(tagged(frames));
  const names = Object.entries(fields).filter(([name]) => /^artist_(?:name|role)_/.test(name));
  return names.map(([, value]) => value);
};

test.for([
  ["a plain artist, which its own field has", { TPE1: "Ana" }, []],
  ["a guest of the artist", { TPE1: "Ana feat. Ben & Cleo" }, ["Ana", "main", "Ben & Cleo", "featured"]],
  [
    "a guest in the title",
    { TIT2: "Night Train (ft. Ben)", TPE1: "Ana" },
    ["Ana", "main", "Ben", "featured"],
  ],
  ["a title that only looks so", { TIT2: "Lift Off", TPE1: "Soft Featurette" }, []],
  [
    "people behind the record",
    { TPE1: "Ana", TPE4: "Rex", TCOM: "Cora", TEXT: "Lyn" },
    ["Ana", "main", "Rex", "remixer", "Cora", "composer", "Lyn", "lyricist"],
  ],
] as const)("a file's tags credit artists: %s", async ([, frames, credited]) => {
  expect(await artistsFrom(frames)).toEqual(credited);
});
