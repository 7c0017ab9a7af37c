import { JobFailure } from "./failures.ts";
import { type Ffmpeg, type FfmpegProcess, startFfmpeg } from "./ffmpeg.ts";
import type { OutputRate } from "./fmp4.ts";

/** Writes 32 KiB at a time. Else each packet is a write of ffmpeg and a read, a turn and 64 KiB of memory here. */
export const IN_LARGE_PIECES = ["-flush_packets", "0"];

/** Options of ffmpeg for one output. */
export type Output = string[];

/**
 * ffmpeg's default coder and tools. At 96 kb/s the fast coder, or one without noise substitution, makes noise
 * heard in three times as many frames of music: `npm run bench -- encoders`, figures in the README beside this file.
 */
export const aacTo = (pipe: string, bitrate: number): Output => [
  "-c:a",
  "aac",
  "-profile:a",
  "aac_low",
  "-b:a",
  String(bitrate),
  ...IN_LARGE_PIECES,
  "-f",
  "adts",
  pipe,
];

/** Bare frames. We write the first one ourselves, because duration and padding are known at the end. */
export const mp3To = (pipe: string, bitrate: number): Output => [
  "-c:a",
  "libmp3lame",
  "-b:a",
  String(bitrate),
  "-write_xing",
  "0",
  "-id3v2_version",
  "0",
  ...IN_LARGE_PIECES,
  "-f",
  "mp3",
  pipe,
];

/** Starts one process for all of `outputs`, which reads PCM from standard input. */
export function startEncoder(
  ffmpeg: Ffmpeg,
  rate: OutputRate,
  outputs: Output[],
  options: { signal: AbortSignal; morePipes?: number; onLine?: (line: string) => void },
): FfmpegProcess {
  const input = ["-f", "s16le", "-ar", String(rate), "-ac", "2", "-i", "pipe:0"];
  // The summary of loudness counts as information.
  const level = options.onLine ? "info" : "error";
  return startFfmpeg(
    ffmpeg,
    [
      "-loglevel",
      level,
      "-protocol_whitelist",
      "pipe",
      ...input,
      ...outputs.flatMap((output) => ["-threads", "1", ...output]),
    ],
    options,
  );
}

/** Reports a failed encoder as our fault, never the file's: its input is plain PCM. */
export async function expectSuccess(encoder: FfmpegProcess, name: string): Promise<void> {
  const { code, signal } = await encoder.exited;
  if (code !== 0)
    throw new JobFailure(
      "killed",
      `${name} ended with ${code ?? signal}: ${encoder.lastLines().at(-1) ?? ""}`,
    );
}

/** Yields an encoder's packets. Names a dead encoder before its broken output. */
export async function* packetsFrom(
  encoder: FfmpegProcess,
  name: string,
  packets: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let failure: { error: unknown } | undefined;
  try {
    yield* packets;
  } catch (error) {
    failure = { error };
  }
  await expectSuccess(encoder, name);
  if (failure) throw failure.error;
}
