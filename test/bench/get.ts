import type { Bench, Figure } from "./bench.ts";
import { medianOf } from "./bench.ts";
import { createPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { cpuFigure, race, send } from "./race.ts";
import { ownCpuS, treeCpuS } from "./readings.ts";
import { flac } from "./sources.ts";
import { type BenchStack, withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

/** Many short rounds: the machine's speed changes within seconds, but rarely within a round. */
const ROUNDS = 40;
const REQUESTS = 1_500;
/** The engine recompiles hot code, most of it twenty thousand requests later. */
const WARM_UP = 30_000;
const CONNECTIONS = 8;
/** Limit on the Worker's CPU per read, over a bare query. */
const TARGET = 1.35;

/** A read of another user's ready public track, over a route that runs `select 1`. */
async function compare(bench: Bench, stack: BenchStack) {
  const track = await publish(await createPerson(stack), await flac(bench, 10));
  const headers = { Authorization: `OAuth ${await (await createPerson(stack)).token()}` };
  const plain = await startPlainWorker(stack);
  const cpu = () => ({
    worker: treeCpuS(plain.pid),
    proxy: ownCpuS(stack.pid),
    postgres: treeCpuS(stack.pids.postgres),
  });
  const asking = (path: string) => ({
    cpu,
    run: (requests: number) => send({ port: plain.port, path, headers, requests, connections: CONNECTIONS }),
  });
  try {
    return await race(bench, {
      row: "get",
      ours: asking(`/tracks/${track.id}`),
      theirs: asking("/bench/select-1"),
      rounds: ROUNDS,
      requests: REQUESTS,
      warmUp: WARM_UP,
    });
  } finally {
    await plain.stop();
  }
}

/** Row `get`: a read of one track, over a bare query. */
export async function get(bench: Bench): Promise<Figure[]> {
  const results = await withStack(bench, (stack) => compare(bench, stack));
  const [ours, bare] = (["ours", "theirs"] as const).map((side) =>
    medianOf(results, (round) => round[side].p50Ms).toFixed(1),
  );
  const figure = (name: string, parts: ("worker" | "proxy" | "postgres")[], more: Partial<Figure> = {}) =>
    cpuFigure(results, parts, parts, {
      row: "get",
      what: `a track, ${name}`,
      over: "bare route, select 1",
      ...more,
    });
  return [
    figure("Worker", ["worker"], {
      target: TARGET,
      note: `the same track each time, so the isolate holds it; ${REQUESTS} requests a round; p50 ${ours} ms over ${bare} ms`,
    }),
    figure("proxy", ["proxy"]),
    figure("Postgres", ["postgres"]),
    figure("all three", ["worker", "proxy", "postgres"]),
  ];
}
