import { rm } from "node:fs/promises";
import type { Bench, Figure } from "./bench.ts";
import { createPerson } from "./people.ts";
import { watchPeaks } from "./readings.ts";
import { lowMp3, wav } from "./sources.ts";
import { withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

/** Memory does not grow with the length. */
const TARGET = 1.2;

const HOUR_S = 3_600;
const BYTES_A_SECOND = 44_100 * 4;

const wavOf = (bench: Bench, seconds: number) => wav(bench, seconds * BYTES_A_SECOND + 44);

/** Peaks from the first part to `finished`, on a fresh stack. */
async function peaksFor(bench: Bench, made: Promise<string>) {
  const source = await made;
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

/** Row `memory`: whether a longer source needs more memory. */
export async function memory(bench: Bench): Promise<Figure[]> {
  const small = await peaksFor(bench, wavOf(bench, HOUR_S / 6));
  bench.say(`memory, 10 min WAV: ${JSON.stringify(small)}`);
  const hours = bench.quick ? { wav: 0.5, mp3: 2 } : { wav: 4, mp3: 24 };
  const figures: Figure[] = [];
  for (const [kind, made] of [
    [`${hours.wav} h WAV`, () => wavOf(bench, hours.wav * HOUR_S)],
    [`${hours.mp3} h MP3 of 16 kb/s`, () => lowMp3(bench, hours.mp3 * HOUR_S)],
  ] as const) {
    const large = await peaksFor(bench, made());
    bench.say(`memory, ${kind}: ${JSON.stringify(large)}`);
    const figure = (part: keyof typeof large, name: string, note?: string): Figure => ({
      row: "memory",
      what: `${name}, ${kind}`,
      over: "10 min WAV",
      unit: "MiB",
      ours: large[part],
      floor: small[part],
      ratio: large[part] / small[part],
      target: TARGET,
      note,
    });
    figures.push(
      figure("worker", "Worker", "peak resident, upload to finished"),
      figure("objects", "object store"),
      figure("transcoder", "transcoder, Node"),
      figure("children", "transcoder, ffmpeg", "all that run at once"),
    );
  }
  return figures;
}
