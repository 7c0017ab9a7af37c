/**
 * Renders one image: `node image-process.ts 500,100 640`, with sizes of JPEGs and of WebPs and the image on standard
 * input. Own process: decoders may crash, hang or use all memory. Exits with 0 and the parts, or with 3 and a reason.
 */
import { buffer } from "node:stream/consumers";
import { ImageRefused, renderImage } from "./image-rendering.ts";

/** Each follows its length: 32 bits, big-endian. */
function withLengths(images: Buffer[]): Buffer {
  return Buffer.concat(
    images.flatMap((image) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(image.length);
      return [length, image];
    }),
  );
}

try {
  const [jpeg = [], webp = []] = process.argv
    .slice(2)
    .map((sizes) => sizes.split(",").filter(Boolean).map(Number));
  const images = await renderImage(await buffer(process.stdin), jpeg, webp);
  process.stdout.write(withLengths(images));
} catch (error) {
  if (!(error instanceof ImageRefused)) throw error;
  process.exitCode = 3;
  process.stdout.write(error.message);
}
