import { type Bench, type Figure, median, spread } from "./bench.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { send } from "./race.ts";
import { treeCpuS } from "./readings.ts";
import { withStack } from "./stack.ts";

const ROUNDS = 5;
const REQUESTS = 2_000;
/** Microseconds of the Worker's CPU for one reply. */
const TARGET_US = 200;
/** The platform asks every Worker for it: developers.cloudflare.com/fundamentals/reference/http-headers */
const HEADERS = { "Accept-Encoding": "br, gzip" };

/** Row `document`: what a reply with the API document costs the Worker, which holds it in memory. */
export async function document(bench: Bench): Promise<Figure[]> {
  const requests = bench.quick ? 500 : REQUESTS;
  const rounds = await withStack(bench, async (stack) => {
    const { port, pid, stop } = await startPlainWorker(stack);
    const ask = () => send({ port, path: "/openapi.json", headers: HEADERS, requests, connections: 2 });
    try {
      await ask();
      const costs: number[] = [];
      while (costs.length < ROUNDS) {
        const before = treeCpuS(pid);
        await ask();
        costs.push((1e6 * (treeCpuS(pid) - before)) / requests);
      }
      return costs;
    } finally {
      await stop();
    }
  });
  const ours = median(rounds);
  return [
    {
      row: "document",
      what: "GET /openapi.json: CPU of the Worker",
      over: `${TARGET_US} µs`,
      unit: "CPU µs",
      ours,
      floor: TARGET_US,
      ratio: ours / TARGET_US,
      target: 1,
      note: `${spread(rounds, 0)} µs in ${ROUNDS} rounds of ${requests}`,
    },
  ];
}
