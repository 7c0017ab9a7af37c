/** Pixels of the page. */
const BAR = 3;
const GAP = 1;
const SHORTEST_BAR = 2;

/** A level line: what is shown until there is more. */
export const LEVEL = [0.2];

/** The track's samples, with the loudest as 1: a quiet track has a shape too. */
export async function loadSamples(pngAddress) {
  try {
    const reply = await fetch(pngAddress.replace(/\.png$/, ".json"));
    const { samples } = await reply.json();
    const loudest = Math.max(1, ...samples);
    return samples.map((sample) => sample / loudest);
  } catch {
    return LEVEL;
  }
}

/** Draws bars as wide as the canvas has room for: those before `played` (0 to 1) in one colour, the rest in another. */
export function drawWaveform(canvas, samples, played) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = window.devicePixelRatio || 1;
  const [deviceWidth, deviceHeight] = [Math.round(width * scale), Math.round(height * scale)];
  // Setting the size clears the canvas, and costs, even where it is the same.
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
  const context = canvas.getContext("2d");
  const style = getComputedStyle(canvas);
  const [ahead, behind] = ["--wave", "--accent"].map((name) => style.getPropertyValue(name));
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const count = Math.floor((width + GAP) / (BAR + GAP));
  for (let bar = 0; bar < count; bar++) {
    const from = Math.floor((bar * samples.length) / count);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * samples.length) / count));
    const tall = Math.max(SHORTEST_BAR, Math.max(...samples.slice(from, to)) * height);
    context.fillStyle = (bar + 0.5) / count < played ? behind : ahead;
    context.fillRect(bar * (BAR + GAP), (height - tall) / 2, BAR, tall);
  }
}
