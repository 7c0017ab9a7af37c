import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Bench, type Figure, medianOf, spread } from "./bench.ts";
import type { Load, LoadResult } from "./loader.ts";
import { aPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { difference, ownCpuS, scaled, total, treeCpuS } from "./readings.ts";
import { flac } from "./sources.ts";
import { type BenchStack, withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

const ROUNDS = 7;
const REQUESTS = 2_000;
/** So that the code is compiled and all connections stand. */
const WARM_UP = 2_000;
const CONNECTIONS = 8;
/** Of the Worker's own CPU: what one read may cost beyond asking the database at all. */
const TARGET = 1.35;

async function send(load: Omit<Load, "connections">): Promise<LoadResult> {
  const asked: Load = { ...load, connections: CONNECTIONS };
  const args = [join(import.meta.dirname, "loader.ts"), JSON.stringify(asked)];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

interface Round {
  /** CPU µs a request. */
  cpu: { worker: number; proxy: number; postgres: number };
  p50Ms: number;
}

/** A stranger's GET of a public track that is ready, over a route that asks the same database for a 1. */
async function race(bench: Bench, stack: BenchStack): Promise<{ track: Round[]; bare: Round[] }> {
  const track = await publish(await aPerson(stack), await flac(bench, 10));
  const headers = { Authorization: `OAuth ${await (await aPerson(stack)).token()}` };
  const plain = await startPlainWorker(stack);
  const cpu = () => ({
    worker: treeCpuS(plain.pid),
    proxy: ownCpuS(stack.pid),
    postgres: treeCpuS(stack.pids.postgres),
  });
  const once = async (path: string): Promise<Round> => {
    const before = cpu();
    const { p50Ms } = await send({ port: plain.port, path, headers, requests: REQUESTS });
    return { cpu: scaled(difference(cpu(), before), 1e6 / REQUESTS), p50Ms };
  };
  const paths = { track: `/tracks/${track.id}`, bare: "/bench/select-1" };
  try {
    for (const path of Object.values(paths))
      await send({ port: plain.port, path, headers, requests: WARM_UP });
    const rounds = { track: [] as Round[], bare: [] as Round[] };
    for (let round = 1; round <= ROUNDS; round++) {
      rounds.bare.push(await once(paths.bare));
      rounds.track.push(await once(paths.track));
      const [bareUs, trackUs] = [rounds.bare, rounds.track].map((done) => done.at(-1)?.cpu.worker.toFixed(0));
      bench.say(`get, round ${round}: Worker ${trackUs} µs over ${bareUs} µs`);
    }
    return rounds;
  } finally {
    await plain.stop();
  }
}

/** Row `get`: what reading one track costs over asking the database at all. */
export async function get(bench: Bench): Promise<Figure[]> {
  const { track, bare } = await withStack(bench, (stack) => race(bench, stack));
  const figure = (what: string, pick: (round: Round) => number, more: Partial<Figure>): Figure => {
    const [ours, floor] = [medianOf(track, pick), medianOf(bare, pick)];
    const over = "bare route, select 1";
    return { row: "get", what, over, unit: "CPU µs", ours, floor, ratio: ours / floor, ...more };
  };
  const ratios = track.map(({ cpu }, round) => cpu.worker / (bare[round]?.cpu.worker ?? Number.NaN));
  const ms = (rounds: Round[]) => medianOf(rounds, ({ p50Ms }) => p50Ms).toFixed(1);
  return [
    figure("a track, Worker", ({ cpu }) => cpu.worker, {
      target: TARGET,
      note: `${ROUNDS} rounds: ${spread(ratios)}; p50 ${ms(track)} ms over ${ms(bare)} ms`,
    }),
    figure("a track, proxy", ({ cpu }) => cpu.proxy, {}),
    figure("a track, Postgres", ({ cpu }) => cpu.postgres, {}),
    figure("a track, all three", ({ cpu }) => total(cpu), {}),
  ];
}
