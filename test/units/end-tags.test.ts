import { expect, test } from "vitest";
import { APE_BYTES, endTagsAt } from "../../workers/transcoder/end-tags.ts";

const endOf = (file: Buffer) =>
  endTagsAt(async (offset, length) => file.subarray(offset, offset + length), file.length);

const AUDIO = Buffer.alloc(1000, "a");
const ID3V1 = Buffer.from("TAG".padEnd(128));
const FIELDS = Buffer.alloc(60, "f");

/** A header or a footer. `counted`: the bytes that it tells of fields and footer. */
function words(counted = FIELDS.length + APE_BYTES): Buffer {
  const tag = Buffer.alloc(APE_BYTES);
  tag.write("APETAGEX", "latin1");
  tag.writeUInt32LE(counted, 12);
  return tag;
}

test.each([
  ["nothing", [], 1000],
  ["an ID3v1 tag", [ID3V1], 1000],
  ["an APEv2 tag", [words(), FIELDS, words()], 1000],
  ["both", [words(), FIELDS, words(), ID3V1], 1000],
  ["a footer that counts more than the tag", [words(), FIELDS, words(900)], 1000 + 124],
  ["a footer that counts more than the file", [words(), FIELDS, words(2 ** 31), ID3V1], 1000 + 124],
  ["a footer without a header", [FIELDS, words()], 1000 + 92],
])("no audio is taken for a tag at the end: %s", async (_name, tags, end) => {
  expect(await endOf(Buffer.concat([AUDIO, ...tags]))).toBe(end);
});
