import { type Bench, type Figure, median, medianOf, spread } from "./bench.ts";
import { cpuFigure } from "./race.ts";
import { PARTS, ratesOf, type Storms, stormsOf } from "./storm.ts";

/**
 * Likes per second, and as many plays. "500 likes and plays" may mean 250 or 500 of each. BENCH_RATE suits
 * slower machines.
 */
const RATES = process.env.BENCH_RATE ? [Number(process.env.BENCH_RATE)] : [250, 500];
/** Limit on the wait of the slowest of twenty readers. */
const TARGET = 2;
/** Limit on the CPU of one read. */
const CPU_TARGET = 1.25;

const OVER = { idle: "before", bare: "among as many `select 1`", aside: "a quiet track meanwhile" };

/** Row `viral`: reads of a track while everybody likes and plays it. */
export async function viral(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rate of RATES) figures.push(...figuresOf(rate, await stormsOf(bench, rate)));
  return figures;
}

function figuresOf(rate: number, { rounds, costs }: Storms): Figure[] {
  const waiting = rounds.flatMap((round) => round.waiting);
  const reached = ratesOf({
    likesASecond: medianOf(rounds, (round) => round.likesASecond),
    playsASecond: medianOf(rounds, (round) => round.playsASecond),
  });
  const cores = medianOf(rounds, (round) => round.cores).toFixed(2);
  const latency = (which: "p50Ms" | "p95Ms", over: keyof typeof OVER, more: Partial<Figure>): Figure => {
    const [ours, floor] = (["busy", over] as const).map((side) =>
      medianOf(rounds, (round) => round[side][which]),
    );
    const ratios = spread(rounds.map((round) => round.busy[which] / round[over][which]));
    const words = {
      row: "viral",
      what: `GET among ${2 * rate} likes and plays a second, ${which.slice(0, 3)}`,
      unit: "ms" as const,
      over: OVER[over],
      note: [`${rounds.length} rounds: ${ratios}`, more.note].filter(Boolean).join("; "),
    };
    return {
      ours: ours ?? Number.NaN,
      floor: floor ?? Number.NaN,
      ratio: (ours ?? 0) / (floor ?? 0),
      ...more,
      ...words,
    };
  };
  const locks = `waiting for locks: ${Math.max(...waiting)} at most, median ${median(waiting)}`;
  return [
    latency("p95Ms", "idle", { target: TARGET, note: `${reached}, all counted, ${cores} cores in all` }),
    latency("p95Ms", "bare", {}),
    latency("p95Ms", "aside", { target: TARGET, note: locks }),
    latency("p50Ms", "idle", {}),
    latency("p50Ms", "aside", {}),
    cpuFigure(costs, PARTS, PARTS, {
      row: "viral",
      what: `GET after ${2 * rate} a second, nothing rolled up`,
      over: "a quiet track",
      target: CPU_TARGET,
    }),
  ];
}
