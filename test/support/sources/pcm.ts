/**
 * Stereo. The rising sweep reveals wrong rates, the bursts wrong offsets, the channels swapped or lost ones.
 */
export function sweepWithBursts(frames: number, rate: number): Int16Array {
  const samples = new Int16Array(frames * 2);
  let noise = 1;
  for (let n = 0; n < frames; n++) {
    const t = n / rate;
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0;
    const isBurst = t % 0.7 < 0.02;
    const burst = isBurst ? (noise / 2 ** 31) * 0.35 : 0;
    const left = 0.3 * Math.sin(2 * Math.PI * (150 + 120 * t) * t) + burst;
    const right = 0.25 * Math.sin(2 * Math.PI * 440 * t) + burst;
    samples[2 * n] = Math.round(left * 32_767);
    samples[2 * n + 1] = Math.round(right * 32_767);
  }
  return samples;
}

/** Stereo. A click a second in silence, which encoders pass quickly. */
export function clicks(frames: number, rate: number): Int16Array {
  const samples = new Int16Array(frames * 2);
  for (let n = 0; n < frames; n += rate) samples.fill(10_000, 2 * n, 2 * n + 64);
  return samples;
}

export const sweepWav = (seconds: number, rate = 44_100): Buffer<ArrayBuffer> =>
  wavFile(sweepWithBursts(Math.round(seconds * rate), rate), rate);

export function wavFile(stereo: Int16Array, rate: number): Buffer<ArrayBuffer> {
  const body = Buffer.from(stereo.buffer, stereo.byteOffset, stereo.byteLength);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + body.length, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 4, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(body.length, 40);
  return Buffer.concat([head, body]);
}
