import { sizeInWords } from "../../lib/text/size.ts";
import { type Dimensions, dimensionsOf } from "./dimensions.ts";

/** Bytes. The transcoder has the same limit. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Accepted types of a picture's file, and the hint beside its field. */
export const PICTURE_FILE = {
  accept: "image/jpeg,image/png,image/gif",
  hint: `JPEG, PNG or GIF, ${sizeInWords(MAX_IMAGE_BYTES)} at most. A square is cut from its middle.`,
};

const MAX_SIDE_PIXELS = 10_000;
const MAX_PIXELS = 40_000_000;

/**
 * Returns a fault visible in the first bytes, so that bombs never reach a decoder. The text follows the field's name.
 */
export function obviousFault(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength > MAX_IMAGE_BYTES) return `may have ${sizeInWords(MAX_IMAGE_BYTES)} at most`;
  const dimensions = dimensionsOf(bytes);
  if (dimensions === "no_image") return "is not a JPEG, PNG or GIF image";
  if (dimensions === "damaged") return "cannot be read: it is damaged or not complete";
  return tooLarge(dimensions);
}

function tooLarge({ width, height }: Dimensions): string | undefined {
  if (width > MAX_SIDE_PIXELS || height > MAX_SIDE_PIXELS)
    return `is ${width} by ${height} pixels; a side may have ${MAX_SIDE_PIXELS} pixels at most`;
  if (width * height > MAX_PIXELS) return `has ${width * height} pixels; it may have ${MAX_PIXELS} at most`;
  return undefined;
}
