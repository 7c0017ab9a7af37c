import { createServer, request as openRequest } from "node:http";
import type { AddressInfo } from "node:net";
import type { Streams } from "../../functions/api/tracks/streams.ts";
import type { Bench, Figure, Unit } from "./bench.ts";
import type { CacheReady } from "./data-centre-cache.ts";
import { spawnPeer } from "./peer/spawn.ts";
import { createPerson, type Person } from "./people.ts";
import { type PlainWorkerOptions, startPlainWorker } from "./plain-worker.ts";
import { cpuFigure, race, send } from "./race.ts";
import { treeCpuS } from "./readings.ts";
import { flac } from "./sources.ts";
import { type BenchStack, withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

const ROUNDS = 10;
const REQUESTS = 400;
const WARM_UP = 2_000;
const CONNECTIONS = 8;

/** Limits over the same Worker without a cache. */
const CPU_TARGET = 0.5;
const READS_TARGET = 1 / 5;
const LINES_TARGET = 1 / 50;

const PLAYS = 50;
const PLAY_SECONDS = 240;

/** Dollars per million, beyond what an account includes: the price lists of Workers, R2 and Workers Logs. */
const PRICES = { requests: 0.3, reads: 0.36, lines: 0.6 };

/** The same Worker twice, with the cache of a data centre and without one. */
async function withBoth<Result>(
  stack: BenchStack,
  options: Record<"cached" | "fetched", PlainWorkerOptions>,
  use: (workers: Record<"cached" | "fetched", { port: number; pid: number }>) => Promise<Result>,
): Promise<Result> {
  const cache = await spawnPeer<CacheReady>("../data-centre-cache.ts", {});
  const cached = await startPlainWorker(stack, "with-cache", { ...options.cached, cachePort: cache.port });
  const fetched = await startPlainWorker(stack, "without-cache", options.fetched);
  try {
    return await use({ cached, fetched });
  } finally {
    await Promise.all([cached.stop(), fetched.stop(), cache.stop()]);
  }
}

const streamsOf = (listener: Person, id: number) =>
  listener.call<Required<Streams>>("GET", `/tracks/${id}/streams`);

/** Row `segment`: a segment that the data centre has, over one that storage sends. */
export const segment = (bench: Bench): Promise<Figure[]> =>
  withStack(bench, async (stack) => {
    const { id } = await publish(await createPerson(stack), await flac(bench, 60));
    const { hls_aac_160_url } = await streamsOf(await createPerson(stack), id);
    const { pathname } = new URL(hls_aac_160_url);
    // Not the first, which also counts a play.
    const path = [3, 4, 5, 6].map((n) => pathname.replace("master.m3u8", `160/${n}.m4s`));
    return withBoth(stack, { cached: {}, fetched: {} }, async ({ cached, fetched }) => {
      const side = ({ port, pid }: typeof cached) => ({
        cpu: () => ({ worker: treeCpuS(pid) }),
        run: (requests: number) => send({ port, path, headers: {}, requests, connections: CONNECTIONS }),
      });
      const results = await race(bench, {
        row: "segment",
        ours: side(cached),
        theirs: side(fetched),
        rounds: ROUNDS,
        requests: REQUESTS,
        warmUp: WARM_UP,
      });
      return [
        cpuFigure(results, ["worker"], ["worker"], {
          row: "segment",
          what: "a cached segment: CPU of the Worker",
          over: "one fetched from storage",
          target: CPU_TARGET,
          note: "fetched by S3's protocol, with a signature each",
        }),
      ];
    });
  });

/** A door to the object store that counts reads. Requests are signed for its address. */
async function openReadCounter(objectsUrl: string) {
  let reads = 0;
  const target = new URL(objectsUrl);
  const server = createServer((request, response) => {
    if (request.method === "GET" || request.method === "HEAD") reads += 1;
    const { method, url: path, headers } = request;
    const onwards = openRequest({ host: target.hostname, port: target.port, method, path, headers });
    request.pipe(onwards);
    onwards.on("error", () => response.destroy());
    onwards.on("response", (reply) =>
      reply.pipe(response.writeHead(reply.statusCode ?? 502, reply.rawHeaders)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    reads: () => reads,
    close: () => server.close(),
  };
}

type Cost = Record<"requests" | "reads" | "lines", number>;

/** Plays the track as a player does: links, playlists, then every segment. Returns its requests. */
async function play(port: number, token: string, id: number): Promise<number> {
  let requests = 0;
  const get = async (path: string, headers = {}) => {
    requests += 1;
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    if (!reply.ok) throw new Error(`${reply.status} for ${path}`);
    return reply.text();
  };
  const links = JSON.parse(
    await get(`/tracks/${id}/streams`, { Authorization: `OAuth ${token}` }),
  ) as Streams;
  const { pathname } = new URL(links.hls_aac_160_url ?? "");
  await get(pathname);
  const rung = pathname.replace("master.m3u8", "160/");
  const playlist = await get(`${rung}playlist.m3u8`);
  await get(`${rung}init.mp4`);
  for (const name of playlist.match(/^\d+\.m4s$/gm) ?? []) await get(rung + name);
  return requests;
}

/** Row `plays`: what plays of one popular track cost in one data centre. */
export const plays = (bench: Bench): Promise<Figure[]> =>
  withStack(bench, async (stack) => {
    const { id } = await publish(await createPerson(stack), await flac(bench, PLAY_SECONDS));
    const token = await (await createPerson(stack)).token();
    const arm = async () => {
      const counter = await openReadCounter(stack.urls.objects);
      const cost: Cost = { requests: 0, reads: 0, lines: 0 };
      const onLog = (line: string) => {
        if (line.includes('"event":')) cost.lines += 1;
      };
      return { counter, cost, options: { bindings: { S3_ENDPOINT: counter.url }, onLog } };
    };
    const arms = { cached: await arm(), fetched: await arm() };
    const options = { cached: arms.cached.options, fetched: arms.fetched.options };
    await withBoth(stack, options, async (workers) => {
      for (const name of ["cached", "fetched"] as const) {
        const { cost, counter } = arms[name];
        cost.lines = 0;
        for (let n = 0; n < PLAYS; n++) cost.requests += await play(workers[name].port, token, id);
        cost.reads = counter.reads();
        bench.say(`plays, ${name}: ${JSON.stringify(cost)} for ${PLAYS}`);
      }
    });
    for (const { counter } of Object.values(arms)) counter.close();
    return figuresOf(arms.cached.cost, arms.fetched.cost);
  });

function figuresOf(cached: Cost, fetched: Cost): Figure[] {
  // One line a request was logged before.
  const before: Cost = { ...fetched, lines: fetched.requests };
  const dollars = (cost: Cost) =>
    cost.requests * PRICES.requests + cost.reads * PRICES.reads + cost.lines * PRICES.lines;
  const figure = (
    what: string,
    unit: Unit,
    ours: number,
    floor: number,
    more: Partial<Figure> = {},
  ): Figure => ({
    row: "plays",
    what,
    over: "no cache, every request logged",
    unit,
    ours: ours / PLAYS,
    floor: floor / PLAYS,
    ratio: ours / floor,
    ...more,
  });
  return [
    figure("requests of a play of four minutes", "requests", cached.requests, before.requests, {
      note: `${PRICES.requests} $ a million`,
    }),
    figure("reads of storage", "reads", cached.reads, before.reads, {
      target: READS_TARGET,
      note: `${PRICES.reads} $ a million; ${PLAYS} plays in one data centre`,
    }),
    figure("lines of the log", "lines", cached.lines, before.lines, {
      target: LINES_TARGET,
      note: `${PRICES.lines} $ a million`,
    }),
    figure("a million plays", "$", dollars(cached), dollars(before)),
  ];
}
