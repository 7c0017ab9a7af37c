import { JobFailure } from "./failures.ts";
import { type Ffmpeg, type FfmpegProcess, startFfmpeg } from "./ffmpeg.ts";
import type { OutputRate } from "./fmp4.ts";

export const rawInput = (rate: OutputRate): string[] => [
  ...["-protocol_whitelist", "pipe", "-f", "s16le", "-ar", String(rate), "-ac", "2", "-i", "pipe:0"],
  ...["-threads", "1"],
];

/** Writes 32 KiB at a time. Else each packet is a write of ffmpeg and a read, a turn and 64 KiB of memory here. */
export const IN_LARGE_PIECES = ["-flush_packets", "0"];

/**
 * ffmpeg's default coder and tools. At 96 kb/s the fast coder, or one without noise substitution, makes noise
 * heard in three times as many frames of music: `npm run bench -- encoders`, figures in test/bench/README.md.
 */
export const startAacEncoder = (
  ffmpeg: Ffmpeg,
  rate: OutputRate,
  bitrate: number,
  signal: AbortSignal,
): FfmpegProcess =>
  startFfmpeg(
    ffmpeg,
    [
      ...["-loglevel", "error", ...rawInput(rate)],
      ...["-c:a", "aac", "-profile:a", "aac_low", "-b:a", String(bitrate)],
      ...[...IN_LARGE_PIECES, "-f", "adts", "pipe:1"],
    ],
    { signal },
  );

/**
 * Writes bare frames. We write the first one ourselves, because duration and padding are known at the end.
 */
export const startMp3Encoder = (
  ffmpeg: Ffmpeg,
  rate: OutputRate,
  bitrate: number,
  signal: AbortSignal,
): FfmpegProcess =>
  startFfmpeg(
    ffmpeg,
    [
      ...["-loglevel", "error", ...rawInput(rate)],
      ...["-c:a", "libmp3lame", "-b:a", String(bitrate)],
      ...["-write_xing", "0", "-id3v2_version", "0"],
      ...[...IN_LARGE_PIECES, "-f", "mp3", "pipe:1"],
    ],
    { signal },
  );

/** Reports a failed encoder as our fault, never the file's: its input is plain PCM. */
export async function expectSuccess(encoder: FfmpegProcess, name: string): Promise<void> {
  const { code, signal } = await encoder.exited;
  if (code !== 0)
    throw new JobFailure(
      "killed",
      `${name} ended with ${code ?? signal}: ${encoder.lastLines().at(-1) ?? ""}`,
    );
}
