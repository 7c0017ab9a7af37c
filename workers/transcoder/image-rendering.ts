import sharp, { type FailOnOptions, type Metadata } from "sharp";
import { COLOR_SAMPLES, colorsOf } from "./image-colors.ts";

// The process renders one image, so a cache or thread pool would only hold memory.
sharp.cache(false);
sharp.concurrency(1);

// libvips reads far more, such as SVG and PDF. Block every decoder but these three.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadNsgifBuffer"],
});

/** Four bytes each: bounds the memory of one image. */
const MAX_PIXELS = 40_000_000;
const MAX_SIDE_PIXELS = 10_000;

/** Only the first is shown. Real pictures have fewer; decompression bombs have more. */
const MAX_FRAMES = 1_000;

const MAGIC = [
  Buffer.from([0xff, 0xd8, 0xff]),
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from("GIF87a"),
  Buffer.from("GIF89a"),
];

const JPEG_END = Buffer.from([0xff, 0xd9]);

/** Some programs leave the end marker out. A progressive JPEG without it counts as cut off, although all its scans are there. */
const lacksEnd = (image: Buffer): boolean => image[0] === 0xff && !image.subarray(-2).equals(JPEG_END);

/** The message is a predicate: "is not a …". */
export class ImageRefused extends Error {}

/**
 * Crops squares from the middle and encodes JPEGs of these sizes, then WebPs, then the three colours if there are WebPs. Drops the
 * original's metadata.
 */
export async function renderImage(
  original: Buffer,
  sizes: number[],
  webpSizes: number[] = [],
): Promise<Buffer[]> {
  if (!MAGIC.some((magic) => original.subarray(0, magic.length).equals(magic)))
    throw new ImageRefused("is not a JPEG, PNG or GIF image");
  refuseBombs(await readable(sharp(original, { limitInputPixels: false }).metadata()));

  const largest = Math.max(...sizes, ...webpSizes);
  const decode = (image: Buffer, failOn: FailOnOptions) =>
    sharp(image, { limitInputPixels: MAX_PIXELS, failOn })
      .autoOrient()
      .resize(largest, largest, { fit: "cover" })
      .flatten({ background: "white" })
      // Converts any profile, CMYK included, to sRGB and writes none.
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
  const { data, info } = await readable(
    decode(original, "error").catch((error: unknown) => {
      if (!lacksEnd(original)) throw error;
      return decode(Buffer.concat([original, JPEG_END]), "warning");
    }),
  );
  // Resizes from one decoded square, so that the original is decoded once.
  const square = { raw: { width: info.width, height: info.height, channels: info.channels } };
  const scaled = (size: number) => sharp(data, square).resize(size, size);
  const colors = async () =>
    colorsOf(await scaled(COLOR_SAMPLES).removeAlpha().raw().toBuffer(), COLOR_SAMPLES);
  return Promise.all([
    ...sizes.map((size) => scaled(size).jpeg({ quality: 88 }).toBuffer()),
    ...webpSizes.map((size) => scaled(size).webp({ quality: 82 }).toBuffer()),
    ...(webpSizes.length ? [colors()] : []),
  ]);
}

function refuseBombs({ width, height, pages = 1 }: Metadata): void {
  if (width > MAX_SIDE_PIXELS || height > MAX_SIDE_PIXELS)
    throw new ImageRefused(
      `is ${width} by ${height} pixels; a side may have ${MAX_SIDE_PIXELS} pixels at most`,
    );
  if (width * height > MAX_PIXELS)
    throw new ImageRefused(`has ${width * height} pixels; it may have ${MAX_PIXELS} at most`);
  if (pages > MAX_FRAMES) throw new ImageRefused(`has ${pages} frames; it may have ${MAX_FRAMES} at most`);
}

/** Replaces decoders' messages, which mean nothing to users. */
const readable = <Result>(decoding: Promise<Result>): Promise<Result> =>
  decoding.catch((error: unknown) => {
    throw new ImageRefused("cannot be read: it is damaged or not complete", { cause: error });
  });
