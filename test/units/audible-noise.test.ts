import { expect, test } from "vitest";
import { listenTo } from "../bench/audible-noise.ts";

const RATE = 44_100;
const FRAMES = RATE;

type Wave = (frame: number) => number;

const sine =
  (hz: number, level: number): Wave =>
  (frame) =>
    level * Math.sin((2 * Math.PI * hz * frame) / RATE);

/** Stereo, the same on both sides. */
const sound = (...waves: Wave[]): Int16Array =>
  Int16Array.from({ length: FRAMES * 2 }, (_, i) => waves.reduce((sum, wave) => sum + wave(i >> 1), 0));

const tone = sine(1000, 10_000);
const ratioOf = (...noise: Wave[]) => listenTo(sound(tone), RATE)(sound(tone, ...noise)).ratioDb;

test("noise is measured louder the louder it is, from none on", () => {
  const levels = [0, 30, 100, 300, 1000, 3000].map((level) => ratioOf(sine(5000, level)));
  expect(levels[0]).toBe(-120);
  expect(levels).toEqual([...levels].sort((a, b) => a - b));
  expect(new Set(levels).size).toBe(levels.length);
});

test("noise beside a tone counts less than the same noise far from it, and less above it than below", () => {
  const [above, below, far] = [1250, 800, 6000].map((hz) => ratioOf(sine(hz, 300)));
  expect(above).toBeLessThan(below ?? Number.NaN);
  expect(below).toBeLessThan(far ?? Number.NaN);
});

test("noise below the threshold in quiet is not heard, and a click is heard in its frames alone", () => {
  const click: Wave = (frame) => (Math.abs(frame - FRAMES / 2) < 20 ? 8000 : 0);
  const compare = listenTo(sound(tone), RATE);
  expect(compare(sound(tone, sine(40, 10))).heard).toBe(0);
  const { heard } = compare(sound(tone, click));
  expect(heard).toBeGreaterThan(0);
  expect(heard).toBeLessThan(0.1);
});
