import { deepStrictEqual, equal } from "node:assert";
import pg from "pg";
import type { Bench, Figure } from "./bench.ts";
import type { ListPeerOptions, ListPeerReady } from "./peer/list-options.ts";
import { spawnPeer } from "./peer/spawn.ts";
import { createPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { cpuFigure, race, type Side, send } from "./race.ts";
import { ownCpuS, treeCpuS } from "./readings.ts";
import { type BenchStack, withStack } from "./stack.ts";

const CONNECTIONS = 8;

/** Fastify with `pg`, prepared statements and JSON compiled from a schema. */
const startPeer = (options: ListPeerOptions) => spawnPeer<ListPeerReady>("lists.ts", options);

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

/** The newest session belongs to the reader. */
const newestSession = (client: pg.Client) =>
  client
    .query<{ sessionId: number; userId: number }>(
      `select id::float8 as "sessionId", user_id::float8 as "userId" from sessions order by id desc limit 1`,
    )
    .then(({ rows: [session] }) => session ?? { sessionId: 0, userId: 0 });

interface Sided {
  port: number;
  Authorization: string;
}

interface ListRace {
  row: string;
  what: string;
  /** Requested in turn. */
  paths: string[];
  rounds: number;
  requests: number;
  /** Worker and Postgres together. */
  target?: number;
  note: string;
}

async function textOf({ port, Authorization }: Sided, path: string): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization } });
  if (!reply.ok) throw new Error(`${reply.status} for ${path}: ${await reply.text()}`);
  return reply.text();
}

/** Fastify's compiled JSON puts optional keys after required ones. Only the order may differ. */
function refuseDifference(ours: string, theirs: string): void {
  deepStrictEqual(JSON.parse(ours), JSON.parse(theirs));
  equal(ours.length, theirs.length);
}

const runOf =
  ({ port, Authorization }: Sided, path: string[]): Side<never>["run"] =>
  (requests) =>
    send({ port, path, headers: { Authorization }, requests, connections: CONNECTIONS });

/**
 * Races our Worker against a tuned Node server on one database filled by `seed`. Both must return the same
 * JSON.
 */
export const withListSides = (
  bench: Bench,
  seed: (stack: BenchStack) => Promise<void>,
  use: (run: (what: ListRace) => Promise<Figure[]>, stack: BenchStack) => Promise<Figure[]>,
): Promise<Figure[]> =>
  withStack(bench, async (stack) => {
    await seed(stack);
    const token = await (await createPerson(stack)).token();
    const session = await withDatabase(stack, newestSession);
    const plain = await startPlainWorker(stack);
    const env = {
      ...{ API_URL: stack.urls.api, WEB_URL: stack.urls.api, URN_NAMESPACE: "soundcloud" },
      ...{ SIGNING_KEYS: stack.secrets.SIGNING_KEYS, SEAL_KEYS: stack.secrets.SEAL_KEYS },
    };
    const peer = await startPeer({ databaseUrl: stack.databaseUrl, ...session, env });
    const ours: Sided = { port: plain.port, Authorization: `OAuth ${token}` };
    const theirs: Sided = { port: peer.port, Authorization: `OAuth ${peer.token}` };
    const postgres = () => treeCpuS(stack.pids.postgres);
    const run = async ({ row, what, paths, rounds, requests, target, note }: ListRace) => {
      for (const path of paths) refuseDifference(await textOf(ours, path), await textOf(theirs, path));
      const results = await race(bench, {
        row: `${row}, ${what}`,
        ours: {
          run: runOf(ours, paths),
          cpu: () => ({ worker: treeCpuS(plain.pid), proxy: ownCpuS(stack.pid), postgres: postgres() }),
        },
        theirs: { run: runOf(theirs, paths), cpu: () => ({ node: ownCpuS(peer.pid), postgres: postgres() }) },
        ...{ rounds, requests, warmUp: requests },
      });
      const words = { row, over: "Fastify + pg" };
      return [
        cpuFigure(results, ["worker", "postgres"], ["node", "postgres"], {
          ...{ ...words, what: `${what}, Worker and Postgres`, note },
          ...(target !== undefined && { target }),
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
