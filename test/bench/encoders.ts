import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type AudibleNoise, listenTo } from "./audible-noise.ts";
import type { Bench, Figure } from "./bench.ts";
import { type EncoderSource, encoderSources } from "./encoder-sources.ts";
import { reapedCpuS } from "./readings.ts";
import { ffmpegRun } from "./sources.ts";

const RATE = 44_100;
const SECONDS = 20;

/** The command of the ffmpeg that encodes, in words. It needs no more than the image's has: pipes, ADTS and MP3. */
const ENCODER = process.env.BENCH_ENCODER?.split(" ");

/** Settings that compete. The first of a codec is the default, over which the others stand. */
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
  "level 3, LAME's default": [],
  ...Object.fromEntries(
    [0, 2, 5, 7, 9].map((level) => [`level ${level}`, ["-compression_level", `${level}`]]),
  ),
};

/** `delay`: samples before the first of the source. Bare frames do not tell it. */
const CODECS = [
  { name: "AAC", kbps: 160, settings: AAC, codec: ["-c:a", "aac"], format: "adts", delay: 1024 },
  { name: "AAC", kbps: 96, settings: AAC, codec: ["-c:a", "aac"], format: "adts", delay: 1024 },
  { name: "MP3", kbps: 128, settings: MP3, codec: ["-c:a", "libmp3lame"], format: "mp3", delay: 1105 },
];

/** Row `encoders`: CPU of coder settings, with the noise that they make audible in each source. */
export async function encoders(bench: Bench): Promise<Figure[]> {
  const sources = await encoderSources(bench, bench.quick ? 5 : SECONDS);
  const audible = new Map<string, (decoded: Int16Array) => AudibleNoise>();
  for (const { name, path } of sources) audible.set(name, listenTo(await samplesOf(bench, path), RATE));

  async function measure(source: EncoderSource, delay: number, options: string[]) {
    const coded = join(bench.scratch, "coded");
    const before = reapedCpuS();
    await encode(ENCODER ?? [bench.ffmpeg.path], source.path, options, coded);
    const cpuS = reapedCpuS() - before;
    const noise = audible.get(source.name)?.(await samplesOf(bench, coded, delay));
    return { cpuS, note: noise ? noteOf(source.name, noise) : "" };
  }

  const figures: Figure[] = [];
  for (const { name, kbps, settings, codec, format, delay } of CODECS) {
    let floor: number | undefined;
    for (const [setting, options] of Object.entries(settings)) {
      const measured = [];
      const coder = [...codec, "-b:a", `${kbps}k`, ...options, "-f", format];
      for (const source of sources) measured.push(await measure(source, delay, coder));
      const cpuS = measured.reduce((sum, each) => sum + each.cpuS, 0);
      floor ??= cpuS;
      const figure: Figure = {
        row: "encoders",
        what: `${name} ${kbps} kb/s, ${setting}`,
        over: "the default",
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

/** Encodes from pipe to pipe, at the transcoder's priority. */
async function encode(command: string[], source: string, options: string[], coded: string): Promise<void> {
  const [from, to] = [openSync(source, "r"), openSync(coded, "w")];
  const quiet = ["-hide_banner", "-loglevel", "error"];
  const args = ["-n", "10", ...command, ...quiet, "-i", "pipe:0", ...options, "pipe:1"];
  const child = spawn("nice", args, { stdio: [from, to, "inherit"] });
  closeSync(from);
  closeSync(to);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
}

/** Decoded as a player would that knows the encoder's delay. */
async function samplesOf(bench: Bench, path: string, delay = 0): Promise<Int16Array> {
  const raw = join(bench.scratch, "decoded.raw");
  const trimmed = ["-af", `atrim=start_sample=${delay}`];
  await ffmpegRun(bench, ["-i", path, ...trimmed, "-ar", String(RATE), "-ac", "2", "-f", "s16le", raw]);
  const bytes = readFileSync(raw);
  rmSync(raw);
  return new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
}
