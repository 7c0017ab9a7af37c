/** CSS pixels. */
const BAR = 3;
const GAP = 1;
const SHORTEST_BAR = 2;

/** A flat line for as long as there are no samples. */
export const LEVEL = [0.2];

/** Loads the samples, scaled so that the loudest is 1: a quiet track has a shape too. */
export async function loadSamples(pngAddress: string): Promise<number[]> {
  try {
    const reply = await fetch(pngAddress.replace(/\.png$/, ".json"));
    const { samples }: { samples: number[] } = await reply.json();
    const loudest = Math.max(1, ...samples);
    return samples.map((sample) => sample / loudest);
  } catch {
    return LEVEL;
  }
}

const barsIn = ({ clientWidth }: HTMLCanvasElement) => Math.floor((clientWidth + GAP) / (BAR + GAP));

/** A bar counts as played from its middle on. */
const barsPlayed = (share: number, count: number) => Math.max(0, Math.ceil(share * count - 0.5));

/** Seconds that a player at `at` of `length` has until the next bar changes colour. */
export function secondsToNextBar(canvas: HTMLCanvasElement, at: number, length: number): number {
  const count = barsIn(canvas);
  return length && count ? ((barsPlayed(at / length, count) + 0.5) / count) * length - at : Infinity;
}

/** The picture on each canvas. Players ask far more often than a bar changes. */
const shown = new WeakMap<HTMLCanvasElement, unknown[]>();

/** Draws as many bars as fit, those before `played` (0 to 1) in another colour. */
export function drawWaveform(canvas: HTMLCanvasElement, samples: number[], played: number): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = window.devicePixelRatio || 1;
  const style = getComputedStyle(canvas);
  const unplayedColor = style.getPropertyValue("--wave");
  const playedColor = style.getPropertyValue("--played");
  const count = barsIn(canvas);
  const passed = barsPlayed(played, count);
  const picture = [samples, width, height, scale, unplayedColor, playedColor, passed];
  if (shown.get(canvas)?.every((part, index) => part === picture[index])) return;
  shown.set(canvas, picture);
  const [deviceWidth, deviceHeight] = [Math.round(width * scale), Math.round(height * scale)];
  // Setting a size clears the canvas and takes time, even if the size is the same.
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  for (let bar = 0; bar < count; bar++) {
    const from = Math.floor((bar * samples.length) / count);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * samples.length) / count));
    const tall = Math.max(SHORTEST_BAR, Math.max(...samples.slice(from, to)) * height);
    context.fillStyle = bar < passed ? playedColor : unplayedColor;
    context.fillRect(bar * (BAR + GAP), (height - tall) / 2, BAR, tall);
  }
}
