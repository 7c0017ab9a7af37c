/**
 * Measures how far a coder's noise stands above what the music masks, after the noise-to-mask ratio of ITU-R
 * BS.1387. It compares settings of one coder. It is no PEAQ grade and replaces no listening.
 */
const FRAME = 2048;
const HOP = 1024;

/** Bark. Two bands each, as fine as the ear tells noise from tone. */
const BAND_WIDTH = 0.5;

/** dB that a band masks below its neighbours: steep towards low tones, shallow towards high ones. */
const SLOPE_DOWN_DB = 27;
const SLOPE_UP_DB = 15;

/** dB SPL of a full-scale sine, as loud as music is played. */
const FULL_SCALE_SPL = 92;

export interface AudibleNoise {
  /** dB of noise over mask, averaged over frames, bands and channels. */
  ratioDb: number;
  /** Share of frames in which noise of some band exceeds the mask by 1.5 dB. */
  heard: number;
}

const barkOf = (hz: number): number => 13 * Math.atan(0.00076 * hz) + 3.5 * Math.atan((hz / 7500) ** 2);

/** dB SPL. Terhardt's fit of the threshold in quiet. */
function quietThresholdDb(hz: number): number {
  const khz = Math.max(hz, 20) / 1000;
  return 3.64 * khz ** -0.8 - 6.5 * Math.exp(-0.6 * (khz - 3.3) ** 2) + 0.001 * khz ** 4;
}

const power = (db: number): number => 10 ** (db / 10);
const decibels = (ratio: number): number => 10 * Math.log10(Math.max(ratio, 1e-12));

interface Ear {
  bandOf: Int32Array;
  bands: number;
  /** Share of the power in each band (column) that reaches each other (row). */
  spread: Float64Array;
  /** Power in FFT units below which a band hears nothing. */
  quiet: Float64Array;
}

function earFor(rate: number): Ear {
  const bandOf = Int32Array.from({ length: FRAME / 2 }, (_, bin) =>
    Math.floor(barkOf((bin * rate) / FRAME) / BAND_WIDTH),
  );
  const bands = (bandOf.at(-1) ?? 0) + 1;
  const spread = new Float64Array(bands * bands);
  for (let to = 0; to < bands; to++)
    for (let from = 0; from < bands; from++) {
      const bark = (to - from) * BAND_WIDTH;
      spread[to * bands + from] = power(bark < 0 ? bark * SLOPE_DOWN_DB : -bark * SLOPE_UP_DB);
    }
  // A Hann window turns a full-scale sine into bins of this power in sum.
  const fullScale = (FRAME / 4) ** 2 * 1.5;
  const quiet = new Float64Array(bands).fill(Number.POSITIVE_INFINITY);
  bandOf.forEach((band, bin) => {
    const level = fullScale * power(quietThresholdDb((bin * rate) / FRAME) - FULL_SCALE_SPL);
    quiet[band] = Math.min(quiet[band] ?? level, level);
  });
  return { bandOf, bands, spread, quiet };
}

interface Heard {
  /** Magnitudes of the original in one frame of one channel, and the noise that each band hides. */
  magnitudes: Float64Array;
  masks: Float64Array;
}

/** Compares with `original` what is decoded of it. All samples are 16-bit stereo, aligned to the sample. */
export function listenTo(original: Int16Array, rate: number): (decoded: Int16Array) => AudibleNoise {
  const ear = earFor(rate);
  const heard: Heard[][] = framesOf(original).map((channels) =>
    channels.map((magnitudes) => ({ magnitudes, masks: masksOf(magnitudes, ear) })),
  );
  return (decoded) => {
    let [sum, loud] = [0, 0];
    const frames = framesOf(decoded).slice(0, heard.length);
    for (const [index, channels] of frames.entries()) {
      const ratios = channels.flatMap((magnitudes, channel) =>
        noiseToMask(magnitudes, heard[index]?.[channel], ear),
      );
      sum += ratios.reduce((a, b) => a + b, 0) / ratios.length;
      if (Math.max(...ratios) > power(1.5)) loud++;
    }
    return { ratioDb: decibels(sum / frames.length), heard: loud / frames.length };
  };
}

function masksOf(magnitudes: Float64Array, { bandOf, bands, spread, quiet }: Ear): Float64Array {
  const signal = new Float64Array(bands);
  magnitudes.forEach((magnitude, bin) => {
    signal[bandOf[bin] ?? 0] = (signal[bandOf[bin] ?? 0] ?? 0) + magnitude ** 2;
  });
  return quiet.map((threshold, to) => {
    const reaching = signal.reduce((sum, of, from) => sum + of * (spread[to * bands + from] ?? 0), 0);
    // BS.1387: 3 dB up to 12 Bark, a quarter of a decibel for each Bark above.
    const bark = to * BAND_WIDTH;
    return threshold + reaching / power(bark <= 12 ? 3 : bark / 4);
  });
}

/** Compares magnitudes, because the ear does not hear phases. */
function noiseToMask(decoded: Float64Array, heard: Heard | undefined, { bandOf, bands }: Ear): number[] {
  const noise = new Float64Array(bands);
  decoded.forEach((magnitude, bin) => {
    const band = bandOf[bin] ?? 0;
    noise[band] = (noise[band] ?? 0) + (magnitude - (heard?.magnitudes[bin] ?? 0)) ** 2;
  });
  return Array.from(noise, (amount, band) => amount / (heard?.masks[band] ?? 1));
}

const WINDOW = Float64Array.from(
  { length: FRAME },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FRAME),
);

/** Magnitudes of left and right in each frame. */
function framesOf(interleaved: Int16Array): [Float64Array, Float64Array][] {
  const count = Math.floor((interleaved.length / 2 - FRAME) / HOP) + 1;
  return Array.from({ length: count }, (_, frame) => {
    const sample = (i: number) => (interleaved[2 * (frame * HOP + (i >> 1)) + (i & 1)] ?? 0) / 32_768;
    const re = WINDOW.map((weight, i) => weight * sample(2 * i));
    const im = WINDOW.map((weight, i) => weight * sample(2 * i + 1));
    transform(re, im);
    // One transform serves both: real input's halves mirror each other, so sum and difference part them.
    const side = (sign: 1 | -1) =>
      Float64Array.from({ length: FRAME / 2 }, (_, bin) => {
        const mirror = (FRAME - bin) % FRAME;
        const x = (re[bin] ?? 0) + sign * (re[mirror] ?? 0);
        const y = (im[bin] ?? 0) - sign * (im[mirror] ?? 0);
        return Math.sqrt(x * x + y * y) / 2;
      });
    return [side(1), side(-1)];
  });
}

const COS = Float64Array.from({ length: FRAME / 2 }, (_, i) => Math.cos((-2 * Math.PI * i) / FRAME));
const SIN = Float64Array.from({ length: FRAME / 2 }, (_, i) => Math.sin((-2 * Math.PI * i) / FRAME));

/** Cooley and Tukey's fast Fourier transform, in place. */
function transform(re: Float64Array, im: Float64Array): void {
  for (let i = 0, j = 0; i < FRAME; i++) {
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j] ?? 0, re[i] ?? 0, im[j] ?? 0, im[i] ?? 0];
    let bit = FRAME >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
  }
  for (let half = 1; half < FRAME; half *= 2)
    for (let start = 0; start < FRAME; start += 2 * half)
      for (let k = 0; k < half; k++) {
        const [a, b, turn] = [start + k, start + k + half, (k * FRAME) / (2 * half)];
        const cos = COS[turn] ?? 1;
        const sin = SIN[turn] ?? 0;
        const x = (re[b] ?? 0) * cos - (im[b] ?? 0) * sin;
        const y = (re[b] ?? 0) * sin + (im[b] ?? 0) * cos;
        re[b] = (re[a] ?? 0) - x;
        im[b] = (im[a] ?? 0) - y;
        re[a] = (re[a] ?? 0) + x;
        im[a] = (im[a] ?? 0) + y;
      }
}
