import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "./bench.ts";

const BLOCK_SECONDS = 60;

/**
 * Stereo at 44.1 kHz that costs a coder as much as music: a moving chord under swelling noise, different on
 * each side. Sines and silence would be too cheap.
 */
const side = (root: number, seed: number) =>
  `aevalsrc='0.15*sin(2*PI*${root}*t+3*sin(2*PI*0.3*t))+0.1*sin(2*PI*${root * 2.5}*t)+0.08*sin(2*PI*${root * 6.01}*t+sin(9*t))':s=44100:d=${BLOCK_SECONDS}[tone${seed}];` +
  `anoisesrc=c=pink:r=44100:a=0.35:seed=${seed}:d=${BLOCK_SECONDS},tremolo=f=${0.7 + seed / 5}:d=0.8[noise${seed}];` +
  `[tone${seed}][noise${seed}]amix=inputs=2[side${seed}]`;

export async function ffmpegRun({ ffmpeg }: Bench, args: string[]): Promise<void> {
  // The transcoder's priority, so that wall times compare on a busy machine.
  const options = ["-n", "10", ffmpeg.path, "-nostdin", "-hide_banner", "-loglevel", "error", "-y"];
  const child = spawn("nice", [...options, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (text) => {
    complaint = `${complaint}${text}`.slice(-2_000);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${complaint}`);
}

let block: Promise<string> | undefined;

/** A minute that the others repeat. */
async function musicBlock(bench: Bench): Promise<string> {
  const path = join(bench.scratch, "block.wav");
  const graph = `${side(110, 1)};${side(146.8, 2)};[side1][side2]amerge=inputs=2[out]`;
  await ffmpegRun(bench, ["-filter_complex", graph, "-map", "[out]", "-c:a", "pcm_s16le", path]);
  return path;
}

async function repeated(bench: Bench, name: string, args: string[]): Promise<string> {
  block ??= musicBlock(bench);
  const path = join(bench.scratch, name);
  await ffmpegRun(bench, ["-stream_loop", "-1", "-i", await block, ...args, path]);
  return path;
}

export const flac = (bench: Bench, seconds: number) =>
  repeated(bench, `${seconds}s.flac`, ["-t", String(seconds), "-c:a", "flac"]);

/** Mono at 22 kHz: a day of it has 173 MB. */
export const lowMp3 = (bench: Bench, seconds: number) =>
  repeated(bench, `${seconds}s.mp3`, ["-t", String(seconds), "-ac", "1", "-ar", "22050", "-b:a", "16k"]);

/** A file of this size, up to a packet. */
export const wav = (bench: Bench, bytes: number) =>
  repeated(bench, `${bytes}.wav`, ["-fs", String(bytes), "-c:a", "copy"]);

/** Incompressible bytes, synced to disk. */
export async function randomFile({ scratch }: Bench, bytes: number): Promise<string> {
  const path = join(scratch, "random.bin");
  const chunk = randomBytes(16 * 2 ** 20);
  const file = await open(path, "w");
  try {
    for (let left = bytes; left > 0; left -= chunk.length) {
      chunk.writeDoubleLE(left);
      await file.writeFile(chunk.subarray(0, Math.min(left, chunk.length)));
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return path;
}
