/** Pixels per side of the scaled picture from which colours are taken. */
export const COLOR_SAMPLES = 48;

/** Levels of each of red, green and blue that are told apart. */
const LEVELS = 8;

interface Shade {
  /** Share of the picture. */
  weight: number;
  red: number;
  green: number;
  blue: number;
  /** How far it is from grey, 0 to 1, and how light, 0 to 1. */
  vividness: number;
  lightness: number;
}

/**
 * Takes three colours from RGB pixels, as nine bytes: the ground, which covers most, above all along the edge; the wave, the most vivid
 * that covers enough and stands out from it; and the text, which is farthest from the ground in lightness. The same picture always gives
 * the same. A picture of one colour gives it three times.
 */
export function colorsOf(pixels: Uint8Array, side: number): Buffer {
  const shades = shadesOf(pixels, side);
  const ground = best(shades, ({ weight }) => weight);
  const wave = best(
    shades,
    (shade) => Math.sqrt(shade.weight) * (0.02 + shade.vividness) * (0.1 + distance(shade, ground)),
  );
  const text = best(
    shades,
    (shade) =>
      shade.weight ** 0.25 * (0.01 + Math.abs(shade.lightness - ground.lightness)) * (0.3 + shade.vividness),
  );
  return Buffer.from(
    [ground, wave, text].flatMap(({ red, green, blue }) => [red, green, blue].map(Math.round)),
  );
}

/** Groups similar pixels. Those near the edge, where a ground shows, count double. */
function shadesOf(pixels: Uint8Array, side: number): Shade[] {
  const sums = new Map<number, [count: number, red: number, green: number, blue: number]>();
  const margin = Math.floor(side / 8);
  let all = 0;
  for (let at = 0; at < side * side; at++) {
    const [x, y] = [at % side, Math.floor(at / side)];
    const weight = Math.min(x, y, side - 1 - x, side - 1 - y) < margin ? 2 : 1;
    const [red = 0, green = 0, blue = 0] = pixels.subarray(3 * at, 3 * at + 3);
    const group = [red, green, blue].reduce((so, part) => so * LEVELS + Math.floor((part * LEVELS) / 256), 0);
    const sum = sums.get(group) ?? [0, 0, 0, 0];
    sums.set(group, [
      sum[0] + weight,
      sum[1] + weight * red,
      sum[2] + weight * green,
      sum[3] + weight * blue,
    ]);
    all += weight;
  }
  return [...sums].map(([, [count, red, green, blue]]) =>
    shadeOf(count / all, red / count, green / count, blue / count),
  );
}

function shadeOf(weight: number, red: number, green: number, blue: number): Shade {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  return {
    weight,
    red,
    green,
    blue,
    vividness: (most - least) / 255,
    lightness: (0.3 * red + 0.59 * green + 0.11 * blue) / 255,
  };
}

/** 0 to 1. */
const distance = (one: Shade, other: Shade): number =>
  Math.hypot(one.red - other.red, one.green - other.green, one.blue - other.blue) / Math.hypot(255, 255, 255);

/** The first of the highest mark. Pictures have at least one pixel. */
function best(shades: Shade[], markOf: (shade: Shade) => number): Shade {
  let [found, highest] = [shades[0] ?? shadeOf(1, 0, 0, 0), -1];
  for (const shade of shades) {
    const mark = markOf(shade);
    if (mark > highest) [found, highest] = [shade, mark];
  }
  return found;
}
