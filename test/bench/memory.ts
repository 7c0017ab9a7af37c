import { rm } from "node:fs/promises";
import type { Bench, Figure } from "./bench.ts";
import { createPerson } from "./people.ts";
import { watchPeaks } from "./readings.ts";
import { wav } from "./sources.ts";
import { withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

const MB = 1_000_000;
const SMALL_BYTES = 100 * MB;
const LARGE_BYTES = 2_000 * MB;
/** 2 GB of WAV are over three hours of audio and take minutes to encode. */
const QUICK_LARGE_BYTES = 400 * MB;

/** Peaks from the first part to `finished`, on a fresh stack. */
async function peaksFor(bench: Bench, bytes: number) {
  const source = await wav(bench, bytes);
  try {
    return await withStack(bench, async (stack) => {
      const person = await createPerson(stack);
      const { worker, objects, transcoder } = stack.pids;
      const peaks = watchPeaks({ worker, objects, transcoder }, transcoder);
      await publish(person, source);
      return peaks.stop();
    });
  } finally {
    await rm(source);
  }
}

/** Row `memory`: whether a larger source needs more memory. */
export async function memory(bench: Bench): Promise<Figure[]> {
  const largeBytes = bench.quick ? QUICK_LARGE_BYTES : LARGE_BYTES;
  const small = await peaksFor(bench, SMALL_BYTES);
  bench.say(`memory, ${SMALL_BYTES / MB} MB: ${JSON.stringify(small)}`);
  const large = await peaksFor(bench, largeBytes);
  bench.say(`memory, ${largeBytes / MB} MB: ${JSON.stringify(large)}`);
  const figure = (part: keyof typeof large, name: string, note?: string): Figure => ({
    row: "memory",
    what: `${name}, ${largeBytes / MB} MB WAV`,
    over: `${SMALL_BYTES / MB} MB WAV`,
    unit: "MiB",
    ours: large[part],
    floor: small[part],
    ratio: large[part] / small[part],
    note,
  });
  return [
    figure("worker", "Worker", "peak resident, upload to finished"),
    figure("objects", "object store"),
    figure("transcoder", "transcoder, Node"),
    figure("children", "transcoder, ffmpeg", "all that run at once"),
  ];
}
