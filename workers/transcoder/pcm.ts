import type { Writable } from "node:stream";
import { JobFailure } from "./failures.ts";

/**
 * Between decoder and encoders: stereo, signed 16 bit, little endian. Not float: half the bytes through the pipes, as
 * fast or faster to encode, and a source with NaN or huge samples is clamped here instead of ending an encoder.
 */
export const BYTES_PER_FRAME = 4;

/** Longest track accepted: 24 hours. */
export const MAX_SECONDS = 24 * 60 * 60;

/** Bytes an encoder may lag behind the fastest one: enough to smooth their turns on few cores. */
const LAG_BYTES = 1024 * 1024;

export interface PcmSink {
  write(block: Buffer): Promise<void>;
  end(): void;
}

/** Waits while the process has more than its share unread. One that died is left to its exit, which tells why. */
export const pipeSink = (stdin: Writable, signal: AbortSignal): PcmSink => ({
  async write(block) {
    if (!stdin.writable || stdin.write(block) || stdin.writableLength < LAG_BYTES) return;
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

/** Counts frames into `count` as it goes, so that others can report them meanwhile. */
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
