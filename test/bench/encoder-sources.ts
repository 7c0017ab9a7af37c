import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { ffmpegRun, flac } from "./sources.ts";

const RATE = 44_100;

/** Each strains a coder in its own way. Expressions of ffmpeg's `aevalsrc`, left and right. */
const MADE = {
  // Pure tones that glide show noise that music would hide.
  tones: both("0.3*sin(2*PI*(300*t+90*t*t))+0.2*sin(2*PI*(2500*t+40*t*t))"),
  // Struck metal and wood: silence, then everything at once. The coder's noise must not come before.
  strokes:
    "0.8*exp(-35*mod(t,0.31))*(2*random(0)-1)|0.8*exp(-50*mod(t,0.23))*sin(2*PI*3100*t)*(1-0.5*random(1))",
  // A voice: harmonics of a gliding pitch below three formants, with sibilants between the syllables.
  voice: both(
    "0.1*between(mod(t,0.4),0,0.28)*(sin(PH(t))+0.9*sin(5*PH(t))+0.7*sin(6*PH(t))+0.4*sin(11*PH(t))+0.3*sin(19*PH(t))+0.2*sin(27*PH(t)))+0.08*gt(mod(t,0.4),0.3)*(2*random(0)-1)",
  ).replaceAll("PH(t)", "2*PI*(120*t+4*sin(3*t))"),
  // Applause and rain: each side its own noise, at full band.
  noise: "0.2*(2*random(0)-1)|0.2*(2*random(1)-1)",
} as const;

function both(side: string): string {
  return `${side}|${side}`;
}

export interface EncoderSource {
  name: string;
  path: string;
}

/** Recordings that compete too, an excerpt of each. Made music misleads: LAME's level 7 wins there and loses in recordings. */
const RECORDINGS = process.env.BENCH_MUSIC;
const EXCERPT = ["-ss", "40", "-t", "12", "-ar", String(RATE), "-ac", "2", "-c:a", "pcm_s16le"];

/** Made here, so that nobody's recording is needed. Music is a chord under noise, as in the other rows. */
export async function encoderSources(bench: Bench, seconds: number): Promise<EncoderSource[]> {
  const sources = [{ name: "music", path: await flac(bench, seconds) }];
  for (const [name, graph] of Object.entries(MADE)) {
    const path = join(bench.scratch, `${name}.wav`);
    const input = `aevalsrc='${graph}':s=${RATE}:d=${seconds}`;
    await ffmpegRun(bench, ["-f", "lavfi", "-i", input, "-c:a", "pcm_s16le", path]);
    sources.push({ name, path });
  }
  for (const file of RECORDINGS ? readdirSync(RECORDINGS).sort() : []) {
    const path = join(bench.scratch, `${file}.excerpt.wav`);
    await ffmpegRun(bench, ["-i", join(RECORDINGS ?? "", file), ...EXCERPT, path]);
    sources.push({ name: file, path });
  }
  return sources;
}
