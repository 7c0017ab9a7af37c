import pg from "pg";
import { startApiPeer } from "./api-peer.ts";
import type { Bench, Figure } from "./bench.ts";
import { createPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { cpuFigure, race, type Side, send } from "./race.ts";
import { ownCpuS, treeCpuS } from "./readings.ts";
import { checkSameReplies } from "./same-replies.ts";
import { type BenchStack, withStack } from "./stack.ts";

const CONNECTIONS = 8;

export async function withDatabase<T>(
  { databaseUrl }: Pick<BenchStack, "databaseUrl">,
  use: (client: pg.Client) => Promise<T>,
) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

interface ListRace {
  row: string;
  what: string;
  /** Requested in turn. */
  paths: string[];
  rounds: number;
  requests: number;
  /** Worker and Postgres together. */
  target: number;
}

/** Races our Worker against Fastify and `pg` on one database filled by `seed`, for one reader. */
export const withListSides = (
  bench: Bench,
  seed: (stack: BenchStack) => Promise<void>,
  use: (run: (what: ListRace) => Promise<Figure[]>, stack: BenchStack) => Promise<Figure[]>,
): Promise<Figure[]> =>
  withStack(bench, async (stack) => {
    await seed(stack);
    const headers = { Authorization: `OAuth ${await (await createPerson(stack)).token()}` };
    const plain = await startPlainWorker(stack);
    const peer = await startApiPeer(stack);
    const postgres = () => treeCpuS(stack.pids.postgres);
    const run = async ({ row, what, paths, rounds, requests, target }: ListRace) => {
      const asked = paths.map((path) => ({ path, headers, body: "" }));
      await checkSameReplies(plain.port, peer.port, asked);
      const runOf =
        (port: number): Side<never>["run"] =>
        (count) =>
          send({ port, path: paths, headers, requests: count, connections: CONNECTIONS });
      const results = await race(bench, {
        row: `${row}, ${what}`,
        ours: {
          run: runOf(plain.port),
          cpu: () => ({ worker: treeCpuS(plain.pid), proxy: ownCpuS(stack.pid), postgres: postgres() }),
        },
        theirs: { run: runOf(peer.port), cpu: () => ({ node: ownCpuS(peer.pid), postgres: postgres() }) },
        rounds,
        requests,
        warmUp: requests,
      });
      const words = { row, over: "Fastify + pg" };
      return [
        cpuFigure(results, ["worker", "postgres"], ["node", "postgres"], {
          ...words,
          what: `${what}, Worker and Postgres`,
          target,
        }),
        cpuFigure(results, ["worker", "proxy", "postgres"], ["node", "postgres"], {
          ...words,
          what: `${what}, all`,
        }),
        cpuFigure(results, ["worker"], ["node"], { ...words, what: `${what}, Worker` }),
        cpuFigure(results, ["postgres"], ["postgres"], { ...words, what: `${what}, Postgres` }),
      ];
    };
    try {
      return await use(run, stack);
    } finally {
      await peer.stop();
      await plain.stop();
    }
  });
