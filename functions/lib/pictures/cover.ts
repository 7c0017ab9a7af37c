import { hexOf, type Rgb, rgbOf } from "./oklch.ts";

/** Bars around the middle. */
export const BARS = 72;

/** Shares of the picture's side. */
const INNER = 0.19;
const LONGEST = 0.25;
const SHORTEST = 0.015;
export const DISC = 0.145;
export const BAR_WIDTH = 0.021;

/** A ray from the middle, clockwise from the top. Lengths are shares of the picture's side. */
interface Bar {
  /** Radians. */
  angle: number;
  from: number;
  to: number;
  /** Index in `Drawing.inks`. */
  ink: number;
}

/** A square picture made for what has none. */
export interface Drawing {
  ground: Rgb;
  disc: Rgb;
  /** The quietest first. */
  inks: readonly [Rgb, Rgb, Rgb];
  bars: Bar[];
}

/**
 * Draws the sound of a track as rays in colours of its id. Without samples, such as while it is encoded, the rays are
 * a pattern of the id. `samples` lie between 0 and any height.
 */
export function drawCover(id: number, samples?: readonly number[]): Drawing {
  const levels = samples?.length ? levelsOf(samples) : patternOf(id);
  return {
    ...colorsOf(id),
    bars: levels.map((level, at) => ({
      angle: (2 * Math.PI * at) / BARS,
      from: INNER,
      to: INNER + SHORTEST + (LONGEST - SHORTEST) * level,
      ink: inkOf(level),
    })),
  };
}

function inkOf(level: number): Bar["ink"] {
  if (level > 0.72) return 2;
  return level > 0.4 ? 1 : 0;
}

/** A well-mixed number from 0 to below 1. `turn` makes further ones. https://github.com/skeeto/hash-prospector */
function chance(id: number, turn: number): number {
  let mixed = (id % 2 ** 32) ^ Math.imul(Math.floor(id / 2 ** 32) + 0x9e37 * (turn + 1), 0x85ebca6b);
  for (const factor of [0x7feb352d, 0x846ca68b]) mixed = Math.imul(mixed ^ (mixed >>> 16), factor);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

/** Degrees. */
export const hueOf = (id: number): number => 360 * chance(id, 0);

/** Dark grounds and light inks stand out on light and on dark pages. */
export function colorsOf(id: number): Pick<Drawing, "ground" | "disc" | "inks"> {
  const hue = hueOf(id);
  const color = (lightness: number, chroma: number, turn = 0): Rgb =>
    rgbOf({ lightness, chroma, hue: hue + turn });
  return {
    ground: color(0.34, 0.075),
    disc: color(0.45, 0.1),
    inks: [color(0.6, 0.11, 12), color(0.74, 0.12, 32), color(0.88, 0.09, 56)],
  };
}

/** Mean levels of equal parts, spread between the quietest and the loudest, because mastered tracks are loud throughout. */
function levelsOf(samples: readonly number[]): number[] {
  const means = Array.from({ length: BARS }, (_, bar) => {
    const from = Math.floor((bar * samples.length) / BARS);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * samples.length) / BARS));
    return samples.slice(from, to).reduce((sum, one) => sum + one, 0) / (to - from);
  });
  const loudest = Math.max(...means, 1);
  const quietest = Math.min(...means) * 0.85;
  return means.map((mean) => (loudest > quietest ? (mean - quietest) / (loudest - quietest) : 0));
}

/** Waves around the middle, which meet where they began. */
function patternOf(id: number): number[] {
  const waves = [2, 3, 5, 7].map((turns, at) => ({
    turns,
    weight: 0.35 + chance(id, 2 * at + 1),
    shift: 2 * Math.PI * chance(id, 2 * at + 2),
  }));
  const most = waves.reduce((sum, { weight }) => sum + weight, 0);
  return Array.from({ length: BARS }, (_, bar) => {
    const angle = (2 * Math.PI * bar) / BARS;
    const sum = waves.reduce(
      (all, { turns, weight, shift }) => all + weight * Math.sin(turns * angle + shift),
      0,
    );
    return 0.5 + sum / (2 * most);
  });
}

/** Units of the drawing's side. */
const SIDE = 1_000;

const rounded = (share: number): number => Math.round(SIDE * share);

/** The drawing as an SVG image, which runs no script and refers to nothing. */
export function svgOf({ ground, disc, inks, bars }: Drawing): string {
  const rays = inks.map((ink, at) => {
    const lines = bars
      .filter((bar) => bar.ink === at)
      .map(({ angle, from, to }) => {
        const point = (share: number) =>
          `${rounded(0.5 + share * Math.sin(angle))} ${rounded(0.5 - share * Math.cos(angle))}`;
        return `M${point(from)}L${point(to)}`;
      });
    return lines.length ? `<path stroke="${hexOf(ink)}" d="${lines.join("")}"/>` : "";
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}" width="${SIDE}" height="${SIDE}">`,
    `<path fill="${hexOf(ground)}" d="M0 0h${SIDE}v${SIDE}H0z"/>`,
    `<circle cx="${SIDE / 2}" cy="${SIDE / 2}" r="${rounded(DISC)}" fill="${hexOf(disc)}"/>`,
    `<g stroke-width="${rounded(BAR_WIDTH)}" stroke-linecap="round">${rays.join("")}</g></svg>`,
  ].join("");
}
