import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** Pictures of cameras and attackers. */

type Colour = { r: number; g: number; b: number };

export const RED = { r: 220, g: 20, b: 20 };
export const GREEN = { r: 20, g: 180, b: 20 };
export const BLUE = { r: 20, g: 20, b: 220 };

const plain = (width: number, height: number, background: Colour) =>
  sharp({ create: { width, height, channels: 3, background } });

/** Three bands of equal width, from left to right. */
export async function bands(width = 900, height = 300) {
  const band = await plain(Math.ceil(width / 3), height, GREEN)
    .png()
    .toBuffer();
  return plain(width, height, RED).composite([
    { input: band, left: Math.floor(width / 3), top: 0 },
    { input: await sharp(band).tint(BLUE).png().toBuffer(), left: Math.floor((2 * width) / 3) - 1, top: 0 },
  ]);
}

export const createPng = (width = 200, height = 200, colour: Colour = GREEN): Promise<Buffer> =>
  plain(width, height, colour).png().toBuffer();

export const createJpeg = (width = 200, height = 200, colour: Colour = GREEN): Promise<Buffer> =>
  plain(width, height, colour).jpeg().toBuffer();

/** Occurs only in the metadata of `createPhoto`. */
export const CANARY = "52/1 31/1 canary";

/** A phone's photo: turned sideways, red on top, with position, comment and a profile. */
export async function createPhoto(): Promise<Buffer> {
  const lower = await plain(400, 150, BLUE).png().toBuffer();
  return plain(400, 300, RED)
    .composite([{ input: lower, left: 0, top: 150 }])
    .withExif({
      IFD0: { Copyright: CANARY, ImageDescription: CANARY },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 31/1 12/1" },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>${CANARY}</rdf></x:xmpmeta>`)
    .withIccProfile("p3")
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

const chunk = (type: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

/** All black, one bit per pixel: 400 megapixels take 50 kB. */
export function pngOf(width: number, height: number, extra: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...extra,
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A profile that unpacks to 200 MB. */
export const iccBomb = (): Buffer =>
  pngOf(10, 10, [
    chunk("iCCP", Buffer.concat([Buffer.from("bomb\0\0"), deflateSync(Buffer.alloc(200_000_000))])),
  ]);

/** Alternates white and black, a pixel per frame. */
export function gifOf(width: number, height: number, frames: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const frame = (black: boolean) =>
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, black ? 0x4c : 0x44, 1, 0]);
  return Buffer.concat([
    Buffer.from("GIF89a"),
    size,
    Buffer.from([0x80, 0, 0, 255, 255, 255, 0, 0, 0]),
    ...Array.from({ length: frames }, (_, index) => frame(index % 2 === 1)),
    Buffer.from([0x3b]),
  ]);
}

export const SVG = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)"/>',
);

export const MARKUP = "<script>alert('markup')</script>";

/** A picture for decoders and a page for content sniffers: markup in a comment and after the end. */
export async function polyglot(): Promise<Buffer> {
  const jpeg = await createJpeg();
  const text = Buffer.from(`<!doctype html>${MARKUP}<!--`);
  const comment = Buffer.from([0xff, 0xfe, 0, text.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), comment, text, jpeg.subarray(2), Buffer.from(MARKUP)]);
}

/** A multipart form in the shape of `api`'s options. */
export function createForm(
  fields: Record<string, Uint8Array | string>,
  type = "image/jpeg",
): { raw: FormData } {
  const raw = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") raw.set(name, value);
    else raw.set(name, new Blob([new Uint8Array(value)], { type }), "picture.jpg");
  }
  return { raw };
}
