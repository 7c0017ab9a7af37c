import { BYTES_PER_FRAME, type PcmSink } from "./pcm.ts";

export const WAVEFORM_WIDTH = 1800;
export const WAVEFORM_HEIGHT = 280;

/** Limit of stored peaks. At the limit pairs merge, so memory stays constant for any length. */
const MAX_PEAKS = 65_536;
const FIRST_FRAMES_PER_PEAK = 32;

/** Records the loudest sample of either channel over equal intervals. */
interface PeakMeter extends PcmSink {
  /** One height per pixel column, 0 to 280. */
  columns(): number[];
}

export function createPeakMeter(): PeakMeter {
  let peaks = new Uint16Array(MAX_PEAKS);
  let length = 0;
  let samplesPerPeak = FIRST_FRAMES_PER_PEAK * 2;
  let loudest = 0;
  let seen = 0;

  function keep(): void {
    peaks[length++] = loudest;
    loudest = 0;
    seen = 0;
    if (length < MAX_PEAKS) return;
    peaks = halve(peaks);
    length /= 2;
    samplesPerPeak *= 2;
  }

  return {
    async write(block) {
      const samples = asSamples(block);
      // Indexed, because an iterator costs twice as much and every sample of every track passes here.
      for (let i = 0; i < samples.length; i++) {
        const level = Math.abs(samples[i] ?? 0);
        if (level > loudest) loudest = level;
        if (++seen === samplesPerPeak) keep();
      }
    },
    end() {
      if (seen > 0) keep();
    },
    columns: () =>
      Array.from({ length: WAVEFORM_WIDTH }, (_, column) => {
        const from = Math.floor((column * length) / WAVEFORM_WIDTH);
        const to = Math.max(from + 1, Math.floor(((column + 1) * length) / WAVEFORM_WIDTH));
        return Math.round(
          (Math.max(0, ...peaks.subarray(from, Math.min(to, length))) / 32_768) * WAVEFORM_HEIGHT,
        );
      }),
  };
}

function halve(peaks: Uint16Array): Uint16Array<ArrayBuffer> {
  const merged = new Uint16Array(MAX_PEAKS);
  for (let i = 0; i < MAX_PEAKS / 2; i++) merged[i] = Math.max(peaks[2 * i] ?? 0, peaks[2 * i + 1] ?? 0);
  return merged;
}

/** A view if possible. Typed arrays must start at a multiple of their element size. */
function asSamples(block: Buffer): Int16Array {
  const aligned = block.byteOffset % 2 === 0 ? block : Buffer.from(Uint8Array.from(block).buffer);
  return new Int16Array(aligned.buffer, aligned.byteOffset, (aligned.length / BYTES_PER_FRAME) * 2);
}
