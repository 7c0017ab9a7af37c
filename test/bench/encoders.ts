import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type AudibleNoise, listenTo } from "./audible-noise.ts";
import type { Bench, Figure } from "./bench.ts";
import { type EncoderSource, encoderSources } from "./encoder-sources.ts";
import { reapedCpuS } from "./readings.ts";
import { ffmpegRun } from "./sources.ts";

const RATE = 44_100;
const SECONDS = 20;

/** Settings that compete. The first of a codec is ffmpeg's default, over which the others stand. */
const AAC: Record<string, string[]> = {
  "twoloop, ffmpeg's default": [],
  "twoloop to 18 kHz": ["-cutoff", "18000"],
  "twoloop without noise substitution": ["-aac_pns", "0"],
  "twoloop without both": ["-aac_pns", "0", "-aac_is", "0"],
  fast: ["-aac_coder", "fast"],
  "fast to 16 kHz": ["-aac_coder", "fast", "-cutoff", "16000"],
  "fast to 18 kHz": ["-aac_coder", "fast", "-cutoff", "18000"],
  "fast without noise substitution": ["-aac_coder", "fast", "-aac_pns", "0"],
  "fast without both": ["-aac_coder", "fast", "-aac_pns", "0", "-aac_is", "0"],
};
const MP3: Record<string, string[]> = {
  "level 5, ffmpeg's default": [],
  ...Object.fromEntries(
    [0, 2, 3, 7, 9].map((level) => [`level ${level}`, ["-compression_level", `${level}`]]),
  ),
};

const CODECS = [
  { name: "AAC", kbps: 160, settings: AAC, encode: ["-c:a", "aac"], file: "coded.m4a" },
  { name: "AAC", kbps: 96, settings: AAC, encode: ["-c:a", "aac"], file: "coded.m4a" },
  { name: "MP3", kbps: 128, settings: MP3, encode: ["-c:a", "libmp3lame"], file: "coded.mp3" },
];

/** Row `encoders`: CPU of coder settings, with the noise that they make audible in each source. */
export async function encoders(bench: Bench): Promise<Figure[]> {
  const sources = await encoderSources(bench, bench.quick ? 5 : SECONDS);
  const audible = new Map<string, (decoded: Int16Array) => AudibleNoise>();
  for (const { name, path } of sources) audible.set(name, listenTo(await samplesOf(bench, path), RATE));

  async function measure(source: EncoderSource, file: string, options: string[]) {
    const coded = join(bench.scratch, file);
    const before = reapedCpuS();
    await ffmpegRun(bench, ["-i", source.path, ...options, coded]);
    const cpuS = reapedCpuS() - before;
    const noise = audible.get(source.name)?.(await samplesOf(bench, coded));
    return { cpuS, note: noise ? noteOf(source.name, noise) : "" };
  }

  const figures: Figure[] = [];
  for (const { name, kbps, settings, encode, file } of CODECS) {
    let floor: number | undefined;
    for (const [setting, options] of Object.entries(settings)) {
      const measured = [];
      for (const source of sources)
        measured.push(await measure(source, file, [...encode, "-b:a", `${kbps}k`, ...options]));
      const cpuS = measured.reduce((sum, each) => sum + each.cpuS, 0);
      floor ??= cpuS;
      const figure: Figure = {
        row: "encoders",
        what: `${name} ${kbps} kb/s, ${setting}`,
        over: "ffmpeg's default",
        unit: "CPU s",
        ours: cpuS,
        floor,
        ratio: cpuS / floor,
        note: measured.map(({ note }) => note).join(", "),
      };
      bench.say(`${figure.what}: ${cpuS.toFixed(2)} CPU s, ${figure.note}`);
      figures.push(figure);
    }
  }
  return figures;
}

const noteOf = (name: string, { ratioDb, heard }: AudibleNoise): string =>
  `${name} ${ratioDb.toFixed(1)} dB (${Math.round(heard * 100)} %)`;

/** Decoded as a player would: the container says which samples are the encoder's padding. */
async function samplesOf(bench: Bench, path: string): Promise<Int16Array> {
  const raw = join(bench.scratch, "decoded.raw");
  await ffmpegRun(bench, ["-i", path, "-ar", String(RATE), "-ac", "2", "-f", "s16le", raw]);
  const bytes = readFileSync(raw);
  rmSync(raw);
  return new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
}
