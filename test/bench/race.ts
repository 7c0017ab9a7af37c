import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Bench, type Figure, medianOf, spread } from "./bench.ts";
import type { Load, LoadResult } from "./loader.ts";
import { difference, type Readings, scaled, total } from "./readings.ts";

export async function send(load: Load): Promise<LoadResult> {
  const args = [join(import.meta.dirname, "loader.ts"), JSON.stringify(load)];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

/** `run` sends this many requests. `cpu` reads the CPU time of each process. */
export interface Side<Part extends string> {
  run(requests: number): Promise<LoadResult>;
  cpu(): Readings<Part>;
}

interface Round<Part extends string> {
  /** CPU µs per request. */
  cpu: Readings<Part>;
  p50Ms: number;
}

interface Race<Ours extends string, Theirs extends string> {
  row: string;
  ours: Side<Ours>;
  theirs: Side<Theirs>;
  rounds: number;
  requests: number;
  /** Warms up compilation and connections. */
  warmUp: number;
}

async function measured<Part extends string>(side: Side<Part>, requests: number): Promise<Round<Part>> {
  const before = side.cpu();
  const { p50Ms } = await side.run(requests);
  return { cpu: scaled(difference(side.cpu(), before), 1e6 / requests), p50Ms };
}

/** Alternates the sides, so that other load on the machine affects both. */
export async function race<Ours extends string, Theirs extends string>(
  bench: Bench,
  { row, ours, theirs, rounds, requests, warmUp }: Race<Ours, Theirs>,
) {
  const results: { ours: Round<Ours>; theirs: Round<Theirs> }[] = [];
  await theirs.run(warmUp);
  await ours.run(warmUp);
  for (let round = 1; round <= rounds; round++) {
    const floor = await measured(theirs, requests);
    results.push({ theirs: floor, ours: await measured(ours, requests) });
    const [a, b] = [results.at(-1)?.ours.cpu, floor.cpu].map((cpu) => JSON.stringify(cpu, rounded));
    bench.say(`${row}, round ${round}: ${a} over ${b} µs`);
  }
  return results;
}

const rounded = (_name: string, value: unknown) => (typeof value === "number" ? Math.round(value) : value);

type Results<Ours extends string, Theirs extends string> = Awaited<ReturnType<typeof race<Ours, Theirs>>>;

/** A line of the table: CPU of some processes of ours over some of theirs. */
export function cpuFigure<Ours extends string, Theirs extends string>(
  results: Results<Ours, Theirs>,
  ours: readonly Ours[],
  theirs: readonly Theirs[],
  words: Pick<Figure, "row" | "what" | "over"> & Partial<Figure>,
): Figure {
  const sum = <Part extends string>(cpu: Readings<Part>, parts: readonly Part[]) =>
    total(Object.fromEntries(parts.map((part) => [part, cpu[part]])));
  const mine = medianOf(results, (round) => sum(round.ours.cpu, ours));
  const floor = medianOf(results, (round) => sum(round.theirs.cpu, theirs));
  const ratios = results.map((round) => sum(round.ours.cpu, ours) / sum(round.theirs.cpu, theirs));
  const note = [`${results.length} rounds: ${spread(ratios)}`, words.note].filter(Boolean).join("; ");
  return { unit: "CPU µs", ours: mine, floor, ratio: mine / floor, ...words, note };
}
