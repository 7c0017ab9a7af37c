/**
 * Renders one image and ends: `node image-process.ts 500 100 …`, the image on standard input. A decoder that crashes, hangs
 * or takes all memory does so here, away from the jobs. Exits with 0 and the JPEGs, or with 3 and what is wrong.
 */
import { buffer } from "node:stream/consumers";
import { ImageRefused, renderImage } from "./image-rendering.ts";

/** Each preceded by its length: 32 bits, big-endian. */
function packed(images: Buffer[]): Buffer {
  return Buffer.concat(
    images.flatMap((image) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(image.length);
      return [length, image];
    }),
  );
}

try {
  const images = await renderImage(await buffer(process.stdin), process.argv.slice(2).map(Number));
  process.stdout.write(packed(images));
} catch (error) {
  if (!(error instanceof ImageRefused)) throw error;
  process.exitCode = 3;
  process.stdout.write(error.message);
}
