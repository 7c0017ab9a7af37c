import { deepStrictEqual } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import type { Track } from "../../functions/tracks/representation.ts";
import type { Bench, Figure } from "./bench.ts";
import type { ListPeerOptions, ListPeerReady } from "./peer/lists.ts";
import { aPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { cpuFigure, race, type Side, send } from "./race.ts";
import { ownCpuS, treeCpuS } from "./readings.ts";
import { seedTracks } from "./seed.ts";
import { type BenchStack, withStack } from "./stack.ts";
import { stoppable } from "./stops.ts";

const TRACKS = 10_000;
const ROUNDS = 5;
const REQUESTS = 300;
const CONNECTIONS = 8;
const IDS = 200;

/** Fastify with `pg`, its statements prepared and its JSON compiled from a schema. */
async function startPeer(options: ListPeerOptions) {
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, "peer/lists.ts"), JSON.stringify(options)],
    {
      env: { ...process.env, NODE_ENV: "production", NODE_NO_WARNINGS: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = once(server, "exit");
  const stop = stoppable(async () => {
    server.kill("SIGTERM");
    await ended;
  });
  const ready = new Promise<ListPeerReady>((resolve, reject) => {
    createInterface(server.stdout).on("line", (line) => line.startsWith("{") && resolve(JSON.parse(line)));
    server.once("exit", (code) => reject(new Error(`The peer ended with ${code}`)));
  });
  return { ...(await ready), pid: server.pid ?? 0, stop };
}

/** The newest session is the reader's, and some ids from everywhere. */
async function look({ databaseUrl }: BenchStack) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const session = await client.query<{ id: number; user_id: number }>(
      "select id::float8 as id, user_id::float8 as user_id from sessions order by id desc limit 1",
    );
    const tracks = await client.query<{ id: string }>(
      `select id from tracks order by md5(id::text) limit ${IDS}`,
    );
    return { ...(session.rows[0] ?? { id: 0, user_id: 0 }), ids: tracks.rows.map(({ id }) => id).join() };
  } finally {
    await client.end();
  }
}

type Sided = { port: number; Authorization: string };

const ask = async ({ port, Authorization }: Sided, path: string): Promise<Track[]> =>
  (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization } })).json() as Promise<Track[]>;

/** Row `lists`: 200 tracks by id, and a page of 50, over the same JSON from a tuned Node server and the same database. */
export const lists = (bench: Bench): Promise<Figure[]> =>
  withStack(bench, async (stack) => {
    await seedTracks(stack.databaseUrl, TRACKS, bench.say);
    const token = await (await aPerson(stack)).token();
    const { id: sessionId, user_id: userId, ids } = await look(stack);
    const plain = await startPlainWorker(stack);
    const env = {
      ...{ API_URL: stack.urls.api, WEB_URL: stack.urls.api, URN_NAMESPACE: "soundcloud" },
      ...{ SIGNING_KEYS: stack.secrets.SIGNING_KEYS, SEAL_KEYS: stack.secrets.SEAL_KEYS },
    };
    const peer = await startPeer({ databaseUrl: stack.databaseUrl, sessionId, userId, env });
    const ours: Sided = { port: plain.port, Authorization: `OAuth ${token}` };
    const theirs: Sided = { port: peer.port, Authorization: `OAuth ${peer.token}` };
    const postgres = () => treeCpuS(stack.pids.postgres);
    const run =
      ({ port, Authorization }: Sided, path: string): Side<never>["run"] =>
      (requests) =>
        send({ port, path, headers: { Authorization }, requests, connections: CONNECTIONS });
    const figures: Figure[] = [];
    try {
      for (const [what, path] of [
        [`${IDS} ids`, `/tracks?limit=${IDS}&ids=${ids}`],
        ["a page of 50", "/tracks?limit=50"],
      ] as const) {
        deepStrictEqual(await ask(ours, path), await ask(theirs, path));
        const done = await race(bench, {
          row: `lists, ${what}`,
          ours: {
            run: run(ours, path),
            cpu: () => ({ worker: treeCpuS(plain.pid), proxy: ownCpuS(stack.pid), postgres: postgres() }),
          },
          theirs: { run: run(theirs, path), cpu: () => ({ node: ownCpuS(peer.pid), postgres: postgres() }) },
          ...{ rounds: ROUNDS, requests: REQUESTS, warmUp: REQUESTS },
        });
        const words = { row: "lists", over: "Fastify + pg" };
        figures.push(
          cpuFigure(done, ["worker", "postgres"], ["node", "postgres"], {
            ...{ ...words, what: `${what}, Worker and Postgres`, target: 1 },
            note: "the same page each time, so the isolate holds it",
          }),
          cpuFigure(done, ["worker", "proxy", "postgres"], ["node", "postgres"], {
            ...words,
            what: `${what}, all`,
          }),
          cpuFigure(done, ["worker"], ["node"], { ...words, what: `${what}, Worker` }),
          cpuFigure(done, ["postgres"], ["postgres"], { ...words, what: `${what}, Postgres` }),
        );
      }
      return figures;
    } finally {
      await peer.stop();
      await plain.stop();
    }
  });
