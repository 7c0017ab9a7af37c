import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Bench } from "./bench.ts";
import { fans } from "./fans.ts";
import type { LoadResult, Sent } from "./loader.ts";
import { createPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { race, send } from "./race.ts";
import { difference, ownCpuS, type Readings, total, treeCpuS } from "./readings.ts";
import { flac } from "./sources.ts";
import { type BenchStack, withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

const ROUNDS = 3;
/** Seconds. The Worker's full garbage collections are as far apart, and each round must include one. */
const ROUND_S = 15;
const READS_A_SECOND = 50;
const CONNECTIONS = 8;
const SAMPLE_MS = 50;
/** Milliseconds for the loaders to start, read and connect, so that none measures another's start. */
const READY_MS = 2_000;

/** Plays per batch: the queue's size, or fewer to get some batches per second. */
const batchOf = (rate: number) => Math.min(100, rate / 5);

interface Storm {
  bench: Bench;
  stack: BenchStack;
  db: pg.Client;
  port: number;
  workerPid: number;
  /** Likes per second, and equally many plays. */
  rate: number;
  track: number;
  /** Another track, which nobody likes. */
  quiet: number;
  reader: string;
  /** Tokens of different users. Each likes once. */
  tokens: string[];
}

function linesOf({ bench }: Storm, name: string, lines: Sent[]): string {
  const path = join(bench.scratch, `${name}.txt`);
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  return path;
}

const reads = ({ port, reader }: Storm, id: number, startsAt: number) =>
  send({
    port,
    path: `/tracks/${id}`,
    headers: { Authorization: `OAuth ${reader}` },
    requests: READS_A_SECOND * ROUND_S,
    rate: READS_A_SECOND,
    connections: 4 * CONNECTIONS,
    startsAt,
  });

/** Reads of the track beside equally many bare requests: the unavoidable cost of Worker and database. */
async function readsAmongBare(storm: Storm): Promise<LoadResult> {
  const startsAt = Date.now() + READY_MS;
  const [read] = await Promise.all([
    reads(storm, storm.track, startsAt),
    reads(storm, storm.quiet, startsAt),
    send({
      port: storm.port,
      path: "/bench/select-1",
      headers: {},
      startsAt,
      requests: storm.rate * ROUND_S,
      rate: storm.rate,
      connections: 4 * CONNECTIONS,
    }),
  ]);
  return read;
}

function likes(storm: Storm, round: number, startsAt: number) {
  const requests = storm.rate * ROUND_S;
  const lines = storm.tokens
    .slice(round * requests, (round + 1) * requests)
    .map((token) => ({ headers: { Authorization: `OAuth ${token}` }, body: "" }));
  return send({
    port: storm.port,
    path: `/likes/tracks/${storm.track}`,
    method: "POST",
    headers: {},
    requests,
    rate: storm.rate,
    connections: 4 * CONNECTIONS,
    startsAt,
    lines: linesOf(storm, "likes", lines),
  });
}

function plays(storm: Storm, startsAt: number) {
  const play = () => ({
    track: storm.track,
    mark: randomBytes(16).toString("base64"),
    user: null,
    at: Date.now(),
  });
  const size = batchOf(storm.rate);
  const batch = () => ({ headers: {}, body: JSON.stringify(Array.from({ length: size }, play)) });
  const batches = (storm.rate * ROUND_S) / size;
  return send({
    port: storm.port,
    path: "/bench/plays",
    method: "POST",
    headers: { "Content-Type": "application/json" },
    requests: batches,
    rate: storm.rate / size,
    connections: 2,
    startsAt,
    lines: linesOf(storm, "plays", Array.from({ length: batches }, batch)),
  });
}

/** Samples of the number of statements waiting for a lock, from the start of the work. */
async function waitingDuring(db: pg.Client, startsAt: number, work: Promise<unknown>): Promise<number[]> {
  let over = false;
  const samples = async () => {
    const seen: number[] = [];
    await sleep(startsAt - Date.now());
    while (!over) {
      const { rows } = await db.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'",
      );
      seen.push(rows[0]?.n ?? 0);
      await sleep(SAMPLE_MS);
    }
    return seen;
  };
  const ended = work.finally(() => {
    over = true;
  });
  const [seen] = await Promise.all([samples(), ended]);
  return seen;
}

type Part = "worker" | "proxy" | "postgres";
export const PARTS: readonly Part[] = ["worker", "proxy", "postgres"];

const cpuOf = ({ stack, workerPid }: Storm): Readings<Part> => ({
  worker: treeCpuS(workerPid),
  proxy: ownCpuS(stack.pid),
  postgres: treeCpuS(stack.pids.postgres),
});

interface Round {
  /** Reads of the track before, beside bare requests and during the storm; then of the other track. */
  idle: LoadResult;
  bare: LoadResult;
  busy: LoadResult;
  aside: LoadResult;
  likesASecond: number;
  playsASecond: number;
  waiting: number[];
  /** Cores that reads and storm keep busy together. */
  cores: number;
}

async function runRound(storm: Storm, round: number): Promise<Round> {
  const { track, quiet } = storm;
  const idle = await reads(storm, track, Date.now() + READY_MS);
  const bare = await readsAmongBare(storm);
  const before = cpuOf(storm);
  const startsAt = Date.now() + READY_MS;
  const all = Promise.all([
    reads(storm, track, startsAt),
    reads(storm, quiet, startsAt),
    likes(storm, round, startsAt),
    plays(storm, startsAt),
  ]);
  const waiting = await waitingDuring(storm.db, startsAt, all);
  const [busy, aside, liked, played] = await all;
  const tookS = Math.max(busy.wallS, liked.wallS, played.wallS);
  const result = {
    idle,
    bare,
    busy,
    aside,
    waiting,
    likesASecond: (storm.rate * ROUND_S) / liked.wallS,
    playsASecond: (storm.rate * ROUND_S) / played.wallS,
    cores: total(difference(cpuOf(storm), before)) / tookS,
  };
  const ms = (which: "p50Ms" | "p95Ms") =>
    `${busy[which].toFixed(1)} ms over ${idle[which].toFixed(1)} before, ${bare[which].toFixed(1)} among bare requests, ${aside[which].toFixed(1)} of a quiet track`;
  storm.bench.say(
    `viral, round ${round}: GET p95 ${ms("p95Ms")}, p50 ${ms("p50Ms")}; ${ratesOf(result)}, ${result.cores.toFixed(2)} cores`,
  );
  return result;
}

export const ratesOf = ({ likesASecond, playsASecond }: Pick<Round, "likesASecond" | "playsASecond">) =>
  `${likesASecond.toFixed(0)} likes and ${playsASecond.toFixed(0)} plays a second`;

/** Cost of reading the track before the roll-up, over the quiet track. */
function costs(storm: Storm) {
  const { bench, port, reader, track, quiet } = storm;
  const side = (id: number) => ({
    cpu: () => cpuOf(storm),
    run: (requests: number) =>
      send({
        port,
        path: `/tracks/${id}`,
        headers: { Authorization: `OAuth ${reader}` },
        requests,
        connections: CONNECTIONS,
      }),
  });
  const some = { rounds: 3, requests: 1_000, warmUp: 100 };
  return race(bench, { row: "viral, CPU of a GET", ours: side(track), theirs: side(quiet), ...some });
}

/** Expects a row per like, and correct counters before and after the roll-up. */
async function expectCounted({ db, stack, track, reader }: Storm, sent: number): Promise<void> {
  const counters = async () => {
    const headers = { Authorization: `OAuth ${reader}` };
    const shown = await (await fetch(`${stack.urls.api}/tracks/${track}`, { headers })).json();
    const { favoritings_count, playback_count } = shown as Record<string, number>;
    return [favoritings_count, playback_count];
  };
  const before = await counters();
  while ((await db.query("select roll_up_counters(5000) as taken")).rows[0].taken > 0);
  const { rows } = await db.query("select count(*)::int as n from favorites where track_id = $1", [track]);
  const found = [rows[0].n, ...before, ...(await counters())];
  if (found.some((count) => count !== sent)) throw new Error(`${sent} sent, counted ${found}`);
}

export interface Storms {
  rounds: Round[];
  costs: Awaited<ReturnType<typeof costs>>;
}

/** Storms of this many likes and plays per second on one track. */
export const stormsOf = (bench: Bench, rate: number): Promise<Storms> =>
  withStack(bench, (stack) => storms(bench, stack, rate));

async function storms(bench: Bench, stack: BenchStack, rate: number): Promise<Storms> {
  const db = new pg.Client({ connectionString: stack.databaseUrl });
  await db.connect();
  const artist = await createPerson(stack);
  const audio = await flac(bench, 10);
  const [{ id: track }, { id: quiet }] = [await publish(artist, audio), await publish(artist, audio)];
  const reader = await (await createPerson(stack)).token();
  const tokens = (await fans(stack, db, (ROUNDS + 1) * ROUND_S * rate)).map(({ token }) => token);
  const { port, pid, stop } = await startPlainWorker(stack);
  const storm = { bench, stack, db, port, workerPid: pid, rate, track, quiet, reader, tokens };
  try {
    // Warms up compilation and connections.
    await runRound(storm, 0);
    const result: Storms = { rounds: [], costs: [] };
    for (let round = 1; round <= ROUNDS; round++) {
      result.rounds.push(await runRound(storm, round));
      result.costs.push(...(await costs(storm)));
    }
    await expectCounted(storm, (ROUNDS + 1) * ROUND_S * rate);
    return result;
  } finally {
    await stop();
    await db.end();
  }
}
