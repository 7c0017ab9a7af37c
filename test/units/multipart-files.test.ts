import { expect, test } from "vitest";
import { artwork, artworkPart, read, sentFile } from "./multipart.support.ts";

test.each([
  ['filename="a.png"', "a.png"],
  ["filename=a.png", "a.png"],
  ['filename="a\\"b\\\\.png"', "b\\.png".slice(2)],
  ['filename="%22a%0.png"', '"a%0.png'],
  ['filename="C:\\fakepath\\a.png"', "a.png"],
  ['filename="../../etc/passwd"', "passwd"],
  ["filename=\"plain.png\"; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.png", "naïve €.png"],
  ['filename="ü;b.png"', "ü;b.png"],
  ["filename=\"cafe.png\"; filename*=iso-8859-1'fr'caf%E9%20d%e9j%E0.png", "café déjà.png"],
  ["filename*=ISO-8859-1''caf%E9.png", "café.png"],
])("%s names a file", async (disposition, filename) => {
  expect((await sentFile(artwork(disposition))).filename).toBe(filename);
});

test("a file name in Latin-1 or Windows-1252, as older programs write it, names a file", async () => {
  const bytes = Buffer.from(artwork('filename="caf\xe9 \x96 d\xe9j\xe0.png"'), "latin1");
  expect((await sentFile(bytes)).filename).toBe("café – déjà.png");
});

test.each(["image/png", "audio/mpeg", "application/octet-stream", "application/ogg"])(
  "a part without a file name is a file if its type is %s",
  async (type) => {
    const bytes = Buffer.from(
      `${artworkPart("x=y", "\x89PNG", `\r\nContent-Type: ${type}`)}--b0undary--`,
      "latin1",
    );
    expect(await sentFile(bytes)).toEqual({ filename: "", type, bytes: "\x89PNG" });
  },
);

test.each([
  ["not text", "\xff\xfb\x90", 422, "track[artwork_data]: is not valid utf-8; a file needs a file name"],
  [
    "long",
    "x".repeat(70_000),
    413,
    "The form's fields may have 65536 bytes at most; a file needs a file name",
  ],
])("a part with neither is told so where it is %s", async (_what, content, status, words) => {
  const bytes = Buffer.from(artwork("x=y", content), "latin1");
  expect(await read(bytes)).toEqual({ status, causes: [expect.stringContaining(words)] });
});
