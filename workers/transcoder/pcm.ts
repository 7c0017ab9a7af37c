import type { Writable } from "node:stream";
import { JobFailure } from "./failures.ts";

/**
 * PCM between decoder and encoders: stereo, signed 16 bit, little endian. Floats would double the bytes, and
 * NaN or huge samples would end an encoder instead of being clamped.
 */
export const BYTES_PER_FRAME = 4;

/** Longest accepted track: 24 hours. */
export const MAX_SECONDS = 24 * 60 * 60;

/** Bytes that an encoder may lag behind the fastest. Smooths their turns on few cores. */
const LAG_BYTES = 1024 * 1024;

export interface PcmSink {
  write(block: Buffer): Promise<void>;
  end(): void;
}

/** Waits while the process has too much unread. Ignores a dead process, because its exit holds the reason. */
export const pipeSink = (stdin: Writable, signal: AbortSignal, lagBytes = LAG_BYTES): PcmSink => ({
  async write(block) {
    if (!stdin.writable || stdin.write(block) || stdin.writableLength < lagBytes) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        stdin.off("drain", go).off("close", go);
        signal.removeEventListener("abort", go);
        resolve();
      };
      stdin.on("drain", go).on("close", go);
      signal.addEventListener("abort", go);
    });
  },
  end: () => void stdin.end(),
});

/** Counts frames into `count` while writing, for the progress reports. */
export async function pour(
  pcm: AsyncIterable<Buffer>,
  sinks: PcmSink[],
  count: { rate: number; frames: number; secondsDecoded: number },
  onBlock: () => void,
): Promise<void> {
  for await (const block of pcm) {
    count.frames += block.length / BYTES_PER_FRAME;
    count.secondsDecoded = count.frames / count.rate;
    if (count.secondsDecoded > MAX_SECONDS) throw new JobFailure("too_long", "longer than 24 hours");
    onBlock();
    await Promise.all(sinks.map((sink) => sink.write(block)));
  }
}
