import { expect, test } from "vitest";
import { createPeakMeter, WAVEFORM_HEIGHT, WAVEFORM_WIDTH } from "../../workers/transcoder/waveform.ts";

/** Draws silence with one sample of full level at each of these frames, on either side and of either sign. */
async function draw(frames: number, loud: number[]): Promise<number[]> {
  // Begins at an odd address, as a block of a pipe may.
  const pcm = Buffer.alloc(1 + frames * 4).subarray(1);
  for (const [n, frame] of loud.entries()) pcm.writeInt16LE(n & 1 ? 32_767 : -32_768, frame * 4 + (n & 2));
  const meter = createPeakMeter();
  for (let at = 0; at < pcm.length; at += 65_536) await meter.write(pcm.subarray(at, at + 65_536));
  meter.end();
  return meter.columns();
}

/** From 2,097,152 frames on, pairs of peaks merge, and again at each double of that. */
test.each([100_003, 2_097_152, 4_500_017])(
  "each loud sample of %d frames stands in its place, the first and the last too",
  async (frames) => {
    const loud = Array.from({ length: 24 }, (_, n) => Math.floor((n * (frames - 1)) / 23));
    const heights = await draw(frames, loud);
    expect(heights).toHaveLength(WAVEFORM_WIDTH);
    const drawn = heights.flatMap((height, column) => (height > 0 ? [column] : []));
    expect(drawn).toHaveLength(loud.length);
    for (const [n, frame] of loud.entries())
      expect(Math.abs((drawn[n] ?? 0) + 0.5 - (frame / frames) * WAVEFORM_WIDTH)).toBeLessThan(1);
    expect(new Set(drawn.map((column) => heights[column]))).toEqual(new Set([WAVEFORM_HEIGHT]));
  },
);

test("a track of one frame fills the whole picture", async () => {
  expect(await draw(1, [0])).toEqual(Array(WAVEFORM_WIDTH).fill(WAVEFORM_HEIGHT));
});
