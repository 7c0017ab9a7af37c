import sharp from "sharp";
import { WAVEFORM_HEIGHT, WAVEFORM_WIDTH } from "./waveform.ts";

// One small image per job: a cache or thread pool would only hold memory.
sharp.cache(false);
sharp.concurrency(1);

/** Pixels. Bars of three with gaps of one stay visible at half size. */
const BAR = 3;
const PITCH = 4;

/** Mid grey, visible on light and dark pages. */
const INK = [0x80, 0x84, 0x8c, 0xff] as const;

/** Draws a transparent PNG, mirrored about the middle. Each bar shows the loudest column it covers. */
export function drawWaveform(columns: number[]): Promise<Buffer> {
  const pixels = Buffer.alloc(WAVEFORM_WIDTH * WAVEFORM_HEIGHT * 4);
  for (let left = 0; left < WAVEFORM_WIDTH; left += PITCH) {
    // Silence is a line of two pixels, not a gap.
    const height = Math.max(2, ...columns.slice(left, left + PITCH));
    const top = Math.floor((WAVEFORM_HEIGHT - height) / 2);
    for (let y = top; y < top + height; y++)
      for (let x = left; x < left + BAR; x++) pixels.set(INK, (y * WAVEFORM_WIDTH + x) * 4);
  }
  // Two colours leave nothing to search for: more effort takes twice the time for the same bytes.
  const palette = { palette: true, colours: 2, effort: 1 };
  return sharp(pixels, { raw: { width: WAVEFORM_WIDTH, height: WAVEFORM_HEIGHT, channels: 4 } })
    .png(palette)
    .toBuffer();
}
