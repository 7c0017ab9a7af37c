import { hueOf } from "./cover.ts";
import { type Oklch, oklchOf } from "./oklch.ts";

/** Hues and strengths that `cover-colors.css` has a class for. A strength is a chroma; lightness is the style sheet's. */
const HUE_STEP = 30;
const STRENGTHS = [0, 0.04, 0.08, 0.13];

/** Colours of less chroma look grey. */
const GREY = 0.03;

/**
 * The classes that set `--cover-ground` and `--played` for an element and all in it, in both schemes. `colors` are those of the picture in
 * hexadecimal digits, ground and wave first; without a picture they come from the id, as the drawing's do.
 */
export function coverClasses(id: number, colors: string | undefined): string {
  const drawn = (turn: number) => ({ lightness: 0.5, chroma: 0.1, hue: hueOf(id) + turn });
  const ground = colors ? colorIn(colors.slice(0, 6)) : drawn(0);
  const wave = colors ? colorIn(colors.slice(6, 12)) : drawn(32);
  // A grey ground takes a breath of the wave's hue, so that only grey pictures make grey pages.
  const shown = ground.chroma < GREY && wave.chroma >= GREY ? { ...wave, chroma: 0.04 } : ground;
  return `cover-colors ${classesOf("g", shown)} ${classesOf("w", wave)}`;
}

function colorIn(hex: string): Oklch {
  const [red = 0, green = 0, blue = 0] = Buffer.from(hex, "hex");
  return oklchOf([red, green, blue]);
}

function classesOf(part: "g" | "w", { chroma, hue }: Oklch): string {
  const strength = STRENGTHS.findLastIndex((least) => chroma >= least * 0.75);
  return `${part}${Math.round(hue / HUE_STEP) % (360 / HUE_STEP)} ${part}s${strength}`;
}
