/**
 * Draws the default avatars: `node functions/api/images/draw-default-avatars.ts`. It is not part of the Worker.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { FORMATS } from "./formats.ts";

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 500">
  <rect width="500" height="500" fill="#d5e4df"/>
  <circle cx="250" cy="196" r="92" fill="#5f9488"/>
  <path d="M60 500c0-112 85-178 190-178s190 66 190 178z" fill="#5f9488"/>
</svg>`;

for (const [format, size] of Object.entries(FORMATS.avatar)) {
  // Renders each size directly: scaling down the largest would blur it.
  const density = (72 * size) / 500;
  const jpeg = await sharp(Buffer.from(DRAWING), { density })
    .resize(size, size)
    .jpeg({ quality: 88, mozjpeg: true })
    .toBuffer();
  writeFileSync(join(import.meta.dirname, `../site/assets/avatar-default-${format}.jpg`), jpeg);
}
