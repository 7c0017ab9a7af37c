import { expect, test } from "vitest";

interface Tags {
  readTags(file: Blob): Promise<{ fields: Record<string, string | undefined> }>;
}

const tags = () =>
  import(`${import.meta.dirname}/../../functions/site/assets/upload-tags.js`) as Promise<Tags>;

/** The tags of an MP3: frames of ISO 8859-1, shorter than 128 bytes each. id3.org/id3v2.3.0 §3 */
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
    ...{ label_name: "Tag Records", isrc: "GBTAG1900001", bpm: "124", key_signature: "Am" },
  });
});

test.for([
  ["TSRC", "isrc", "G".repeat(51)],
  ["TSRC", "isrc", "GB\u0007"],
  ["TBPM", "bpm", "0"],
  ["TBPM", "bpm", "1001"],
  ["TBPM", "bpm", "fast"],
  ["TKEY", "key_signature", "A".repeat(51)],
] as const)("a tag that the API would refuse is left out: %s", async ([frame, field, text]) => {
  const { fields } = await (await tags()).readTags(tagged({ TIT2: "Song", [frame]: text }));
  expect([fields.title, fields[field]]).toEqual(["Song", undefined]);
});
