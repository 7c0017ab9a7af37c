import type { AudioStream } from "./probe.ts";

/** 3 dB less. */
const SIDE = Math.SQRT1_2;

/** Shares of channels in a side, by name: as ITU-R BS.775 mixes five channels down, and alike for newer names. */
const SHARES = { FC: SIDE, BC: 0.5, TC: 0.5, TFC: 0.5, TBC: 0.5 };
const SIDED_SHARES = { F: 1, D: 1, F_C: 1, B: SIDE, S: SIDE, W: SIDE, SD: SIDE, TF: SIDE, TB: SIDE };

const sidedName = (name: string, side: "L" | "R"): string =>
  name.includes("_") ? name.replace("_", side) : `${name}${side}`;

const sharesOf = (side: "L" | "R"): Record<string, number> => ({
  ...Object.fromEntries(Object.entries(SIDED_SHARES).map(([name, share]) => [sidedName(name, side), share])),
  ...SHARES,
});

/** `<` divides by the sum of the shares that the file has, so that nothing clips, and mono keeps its level. */
const mixOf = (side: "L" | "R"): string =>
  `F${side}<${Object.entries(sharesOf(side))
    .map(([name, share]) => `${share}*${name}`)
    .join("+")}`;

/** Mixes by name, so that it holds for each layout that a file goes on in: joined files change from mono to stereo, or back. */
const BY_NAME = ["-af", `pan=stereo|${mixOf("L")}|${mixOf("R")}`];
const FIRST_ON_BOTH = ["-af", "pan=stereo|c0=c0|c1=c0"];
const FIRST_PAIR = ["-af", "channelmap=map=0-FL|1-FR:channel_layout=stereo"];

/** ffmpeg guesses a layout for as many. Beyond it the first pair is the best guess. */
const MAX_GUESSED = 8;

/**
 * Mixes to two channels. ffmpeg's own mix loses 3 dB from mono, refuses ambisonics, whose first channel comes from all sides,
 * and layouts that it calls unusual.
 */
export function toStereo({ channels, layout }: AudioStream): string[] {
  if (layout.startsWith("ambisonic")) return FIRST_ON_BOTH;
  const names = /\(([A-Z+\d]+)\)/.exec(layout)?.[1]?.split("+");
  const isNamed = names ? hasBothSides(names) : !/^\d+ channels/.test(layout);
  if (isNamed || (!names && channels > 1 && channels <= MAX_GUESSED)) return BY_NAME;
  return channels === 1 ? FIRST_ON_BOTH : FIRST_PAIR;
}

const hasBothSides = (names: string[]): boolean =>
  (["L", "R"] as const).every((side) => names.some((name) => name in sharesOf(side)));
