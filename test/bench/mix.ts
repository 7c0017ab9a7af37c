import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startApiPeer } from "./api-peer.ts";
import type { Bench, Figure } from "./bench.ts";
import { type Fan, fans } from "./fans.ts";
import { withDatabase } from "./list-sides.ts";
import type { LoadResult, Sent } from "./loader.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { cpuFigure, race, send } from "./race.ts";
import { ownCpuS, treeCpuS } from "./readings.ts";
import { checkSameReplies } from "./same-replies.ts";
import { seedTracks } from "./seed.ts";
import { type BenchStack, withStack } from "./stack.ts";
import { visibilityCases } from "./visibility-cases.ts";

const TRACKS = 10_000;
const TRACKS_QUICK = 1_000;
const PLAYLISTS = 1_000;
const LISTENERS = 200;
const ISOLATES = 4;
const ROUNDS = 5;
const REQUESTS = 8_000;
const REQUESTS_QUICK = 500;
const CONNECTIONS = 8;
/** Few items are requested often, most rarely. */
const ZIPF_EXPONENT = 1.1;
const TARGET = 1.2;
const POSTGRES_TARGET = 1;

/** Public playlists of 5 to 60 tracks from the whole library. */
const SEED_PLAYLISTS = `
with mixed as (
  select id, row_number() over (order by md5(id::text)) - 1 as n from tracks where sharing = 'public' and state <> 'failed'
), made as (
  insert into playlists (user_id, title, permalink, secret_hash, secret_sealed)
  select 1 + n % (select count(*) from users where permalink like 'seed%'), 'Playlist ' || n, 'playlist-' || n, sha256(n::text::bytea), ''
  from generate_series(0, ${PLAYLISTS - 1}) n returning id, user_id
), entries as (
  insert into playlist_tracks (playlist_id, position, track_id)
  select p.id, m.place, t.id
  from (select id, row_number() over (order by id) - 1 as n from made) p
    join lateral (select place, (p.n * 7919 + place * 104729) % (select count(*) from mixed) as n
      from generate_series(1, 5 + (p.n * 31 % 56)::int) place) m on true
    join mixed t on t.n = m.n
  on conflict do nothing
)
select id::float8 from made order by id`;

/** A small seeded generator (mulberry32), so that every run sends the same requests. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks items by Zipf's law, the first most often. */
function zipf<T>(items: readonly T[], random: () => number): () => T {
  let sum = 0;
  const upTo = items.map((_, index) => {
    sum += 1 / (index + 1) ** ZIPF_EXPONENT;
    return sum;
  });
  return () => {
    const at = random() * sum;
    let [low, high] = [0, items.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return items[low] as T;
  };
}

interface Library {
  tracks: number[];
  playlists: number[];
  listeners: Fan[];
}

const seed = (stack: BenchStack): Promise<Library> =>
  withDatabase(stack, async (client) => {
    const playlists = (await client.query<{ id: number }>(SEED_PLAYLISTS)).rows.map(({ id }) => id);
    const { rows } = await client.query<{ id: number }>(
      `select id::float8 from tracks where sharing = 'public' and state <> 'failed' order by md5('mix' || id)`,
    );
    const listeners = await fans(stack, client, LISTENERS);
    await client.query("vacuum analyze");
    return { tracks: rows.map(({ id }) => id), playlists, listeners };
  });

/** Requests of one round: tracks 55 %, playlists 15 %, lists by ids 10 %, the newest 10 %, likes 10 %. */
function requests({ tracks, playlists, listeners }: Library, count: number, round: number): Sent[] {
  const random = randomFrom(round);
  const [track, playlist] = [zipf(tracks, random), zipf(playlists, random)];
  const next = (): Omit<Sent, "headers" | "body"> => {
    const dice = random();
    if (dice < 0.55) return { path: `/tracks/${track()}` };
    if (dice < 0.7) return { path: `/playlists/${playlist()}` };
    if (dice < 0.8) return { path: `/tracks?ids=${[...new Set(Array.from({ length: 20 }, track))]}` };
    if (dice < 0.9) return { path: "/tracks?limit=50" };
    return { method: dice < 0.96 ? "POST" : "DELETE", path: `/likes/tracks/${track()}` };
  };
  return Array.from({ length: count }, () => {
    const listener = listeners[Math.floor(random() * listeners.length)];
    return { ...next(), headers: { Authorization: `OAuth ${listener?.token}` }, body: "" };
  });
}

function readerOf({ listeners: [reader] }: Library): Fan {
  if (!reader) throw new Error("Nobody listens");
  return reader;
}

/** Sends each port its share of the lines in parallel. */
async function spread(bench: Bench, ports: number[], lines: Sent[]): Promise<LoadResult> {
  const shares = ports.map((port, index) => {
    const path = join(bench.scratch, `mix-${index}.txt`);
    const mine = lines.filter((_, at) => at % ports.length === index);
    writeFileSync(path, mine.map((line) => JSON.stringify(line)).join("\n"));
    const connections = CONNECTIONS / ports.length;
    return send({ port, path: "/", headers: {}, requests: mine.length, connections, lines: path });
  });
  const [first, ...others] = await Promise.all(shares);
  if (!first) throw new Error("No port was given");
  return { ...first, wallS: Math.max(first.wallS, ...others.map(({ wallS }) => wallS)) };
}

/**
 * Row `mix`: 200 listeners read tracks, playlists and lists by Zipf's law and like some. Four isolates race
 * Fastify and `pg`, which first answer each request of a round alike.
 */
export const mix = (bench: Bench): Promise<Figure[]> =>
  withStack(bench, async (stack) => {
    await seedTracks(stack.databaseUrl, bench.quick ? TRACKS_QUICK : TRACKS, bench.say);
    const library = await seed(stack);
    const isolates: Awaited<ReturnType<typeof startPlainWorker>>[] = [];
    for (let n = 0; n < ISOLATES; n++) isolates.push(await startPlainWorker(stack, `plain-worker-${n}`));
    const peer = await startApiPeer(stack);
    const ports = isolates.map(({ port }) => port);
    const postgres = () => treeCpuS(stack.pids.postgres);
    const worker = () => isolates.reduce((sum, { pid }) => sum + treeCpuS(pid), 0);
    // Both sides get the same requests in the same order.
    const turns = { ours: 0, theirs: 0 };
    const count = bench.quick ? REQUESTS_QUICK : REQUESTS;
    try {
      const cases = await visibilityCases(stack, readerOf(library));
      await checkSameReplies(ports[0] ?? 0, peer.port, [...cases, ...requests(library, count, 0)]);
      const results = await race(bench, {
        row: "mix",
        ours: {
          run: () => spread(bench, ports, requests(library, count, turns.ours++)),
          cpu: () => ({ worker: worker(), proxy: ownCpuS(stack.pid), postgres: postgres() }),
        },
        theirs: {
          run: () => spread(bench, [peer.port], requests(library, count, turns.theirs++)),
          cpu: () => ({ node: ownCpuS(peer.pid), postgres: postgres() }),
        },
        rounds: ROUNDS,
        requests: count,
        warmUp: count,
      });
      const words = { row: "mix", over: "Fastify + pg" };
      const note = `${LISTENERS} listeners, ${ISOLATES} isolates, a tenth likes`;
      return [
        cpuFigure(results, ["worker", "postgres"], ["node", "postgres"], {
          ...words,
          what: "Worker and Postgres",
          target: TARGET,
          note,
        }),
        cpuFigure(results, ["worker", "proxy", "postgres"], ["node", "postgres"], { ...words, what: "all" }),
        cpuFigure(results, ["worker"], ["node"], { ...words, what: "Worker" }),
        cpuFigure(results, ["postgres"], ["postgres"], {
          ...words,
          what: "Postgres",
          target: POSTGRES_TARGET,
        }),
      ];
    } finally {
      await peer.stop();
      for (const { stop } of isolates) await stop();
    }
  });
