import { BYTES_PER_FRAME } from "./pcm.ts";

/** Half a decibel above full scale. Less is inaudible, and resampling adds as much. */
const CLIPPED = 10 ** (0.5 / 20);

const FLOAT_BYTES = 4;
const CHANNELS = 2;

/** Yields blocks of whole frames, so that consumers can read samples. */
export async function* wholeFrames(
  stdout: AsyncIterable<Buffer>,
  bytesPerFrame = BYTES_PER_FRAME,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stdout) {
    const block = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = block.length - (block.length % bytesPerFrame);
    rest = block.subarray(whole);
    if (whole > 0) yield block.subarray(0, whole);
  }
}

/** Yields the first `frames`, and takes the rest, so that the decoder ends by itself. */
export async function* firstFrames(pcm: AsyncIterable<Buffer>, frames: number): AsyncGenerator<Buffer> {
  let bytes = frames * BYTES_PER_FRAME;
  for await (const block of pcm) {
    if (bytes > 0) yield block.subarray(0, bytes);
    bytes -= block.length;
  }
}

/** Makes 16 bits of floats. ffmpeg would do the same, and not tell of samples above full scale. */
export async function* fromFloats(
  stdout: AsyncIterable<Buffer>,
  onClipped: () => void,
): AsyncGenerator<Buffer> {
  for await (const block of wholeFrames(stdout, CHANNELS * FLOAT_BYTES)) {
    // A view wants an offset that is a multiple of four.
    const floats = new Float32Array(Uint8Array.from(block).buffer);
    const samples = new Int16Array(floats.length);
    let loudest = 0;
    for (const [n, value] of floats.entries()) {
      loudest = Math.max(loudest, Math.abs(value) || 0);
      samples[n] = asInt16(value);
    }
    if (loudest > CLIPPED) onClipped();
    yield Buffer.from(samples.buffer);
  }
}

/** NaN becomes silence. */
const asInt16 = (value: number): number =>
  Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))) || 0;
