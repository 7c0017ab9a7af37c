import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { dimensionsOf } from "../../functions/api/images/dimensions.ts";
import { obviousFault } from "../../functions/api/images/limits.ts";
import {
  createJpeg,
  createPhoto,
  createPng,
  gifOf,
  iccBomb,
  pngOf,
  polyglot,
  SVG,
} from "../support/images.ts";

test.each([
  ["a PNG", () => createPng(123, 45), 123, 45],
  ["a PNG with a profile before its pixels", iccBomb, 10, 10],
  ["a JPEG", () => createJpeg(123, 45), 123, 45],
  ["a progressive JPEG", async () => progressive(await createPng(123, 45)), 123, 45],
  ["a JPEG with EXIF, XMP and a profile", createPhoto, 400, 300],
  ["a JPEG with a comment", polyglot, 200, 200],
  ["a GIF", () => gifOf(321, 65_000, 2), 321, 65_000],
  ["a PNG of a size that no file has", () => pngOf(20_000, 20_000), 20_000, 20_000],
])("%s is measured by its header", async (_what, picture, width, height) => {
  expect(dimensionsOf(await picture())).toEqual({ width, height });
});

const progressive = (png: Buffer) => sharp(png).jpeg({ progressive: true }).toBuffer();

test("fill bytes before a marker are skipped", async () => {
  const jpeg = await createJpeg(77, 66);
  const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(5, 0xff), jpeg.subarray(2)]);
  expect(dimensionsOf(filled)).toEqual({ width: 77, height: 66 });
});

test("files that are no supported picture have no dimensions", async () => {
  const webp = await sharp(await createPng())
    .webp()
    .toBuffer();
  for (const bytes of [SVG, webp, Buffer.alloc(0), Buffer.from("GIF90a"), Buffer.from("\x89PNG")])
    expect(dimensionsOf(bytes)).toBe("no_image");
});

test("truncated or corrupted headers never throw", async () => {
  for (const whole of [await createPhoto(), await createPng(), gifOf(3, 3, 2), await polyglot()]) {
    const hostile = fc.record({
      length: fc.nat(whole.length),
      flips: fc.array(fc.record({ at: fc.nat(Math.min(700, whole.length - 1)), byte: fc.nat(255) })),
    });
    fc.assert(
      fc.property(hostile, ({ length, flips }) => {
        const bytes = Uint8Array.from(whole);
        for (const { at, byte } of flips) bytes[at] = byte;
        const fault = obviousFault(bytes.subarray(0, length));
        expect(["string", "undefined"]).toContain(typeof fault);
      }),
      { numRuns: 500 },
    );
  }
});
