import { join, resolve } from "node:path";
import pg from "pg";
import { type Bench, type Figure, medianOf, spread } from "./bench.ts";
import { createPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { send } from "./race.ts";
import { treeCpuS } from "./readings.ts";
import { LAST_PAGE, SMALL_PAGE, scaleQueries } from "./scale-queries.ts";
import { seedTracks } from "./seed.ts";
import { type BenchStack, withStack } from "./stack.ts";

const SMALL = 10_000;
const LARGE_QUICK = 50_000;
const LARGE = 1_000_000;
const ROUNDS = 5;
const REQUESTS = 40;
const WARM_UP = 10;
const IDS = 50;
const TARGET = 2;

interface Library {
  queries: Record<string, string>;
  /** Number of tracks on the page. */
  found(path: string): Promise<number>;
  /** Sends the requests one after the other. */
  ask(path: string, requests: number): Promise<{ p95Ms: number; postgresS: number }>;
}

async function withLibrary<T>(bench: Bench, tracks: number, use: (library: Library) => Promise<T>) {
  const parentDir = process.env.BENCH_KEEP;
  return withStack(
    bench,
    measure,
    parentDir && join(resolve(process.env.INIT_CWD ?? ".", parentDir), String(tracks)),
  );

  async function measure(stack: BenchStack) {
    await provide(stack.databaseUrl, tracks, bench.say);
    const headers = { Authorization: `OAuth ${await (await createPerson(stack)).token()}` };
    const ids = await readAsFree(stack.databaseUrl);
    const { port, stop } = await startPlainWorker(stack);
    const page = async (path: string) => {
      const reply = await fetch(`http://127.0.0.1:${port}${path}&linked_partitioning=true`, { headers });
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
      return reply.json() as Promise<{ collection: object[]; next_href?: string }>;
    };
    const postgresS = () => treeCpuS(stack.pids.postgres);
    try {
      const before = await page(`/tracks?limit=${SMALL_PAGE}&offset=${SMALL_PAGE * (LAST_PAGE - 2)}`);
      const last = new URL(before.next_href ?? "");
      last.searchParams.delete("linked_partitioning");
      return await use({
        queries: scaleQueries(ids, `${last.pathname}${last.search}`),
        found: async (path) => (await page(path)).collection.length,
        async ask(path, requests) {
          const beforeS = postgresS();
          const { p95Ms } = await send({ port, path, headers, requests, connections: 1 });
          return { p95Ms, postgresS: postgresS() - beforeS };
        },
      });
    } finally {
      await stop();
    }
  }
}

/** Seeds unless an earlier run left the library. */
async function provide(databaseUrl: string, tracks: number, say: Bench["say"]): Promise<void> {
  const there = await tracksIn(databaseUrl);
  if (there === tracks) return;
  if (there) throw new Error(`BENCH_KEEP holds ${there} tracks where ${tracks} should be: remove it`);
  const startedMs = performance.now();
  await seedTracks(databaseUrl, tracks, say);
  say(`${tracks} tracks seeded in ${Math.round((performance.now() - startedMs) / 1000)} s`);
}

async function tracksIn(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>("select count(*)::float8 as count from tracks");
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

/** Switches the reader to the free plan, because paying users see no previews. Returns some track ids. */
async function readAsFree(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("update users set plan = 'free' where plan <> 'free'");
    const { rows } = await client.query<{ id: string }>(
      `select id from tracks order by md5(id::text) limit ${IDS}`,
    );
    return rows.map(({ id }) => id).join();
  } finally {
    await client.end();
  }
}

type Words = Pick<Figure, "row" | "over">;

/** Alternates the sides, so that other load on the machine affects both. */
async function compare(
  bench: Bench,
  { what, small, large, words }: { what: string; small: Library; large: Library; words: Words },
): Promise<Figure[]> {
  const paths = { ours: large.queries[what] ?? "", floor: small.queries[what] ?? "" };
  const pages = `a page of ${await large.found(paths.ours)} over ${await small.found(paths.floor)}`;
  await small.ask(paths.floor, WARM_UP);
  await large.ask(paths.ours, WARM_UP);
  const rounds: Record<keyof typeof paths, Awaited<ReturnType<Library["ask"]>>>[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const floor = await small.ask(paths.floor, REQUESTS);
    rounds.push({ floor, ours: await large.ask(paths.ours, REQUESTS) });
  }
  const ratios = rounds.map(({ ours, floor }) => ours.p95Ms / floor.p95Ms);
  const p95Ms = (side: keyof typeof paths) => medianOf(rounds, (round) => round[side].p95Ms);
  // The kernel counts CPU in ticks of 10 ms. One round is too short, so the rounds are summed.
  const cpuUs = (side: keyof typeof paths) =>
    (rounds.reduce((sum, round) => sum + round[side].postgresS, 0) * 1e6) / (ROUNDS * REQUESTS);
  const figure = (name: string, unit: Figure["unit"], of: (side: keyof typeof paths) => number) => ({
    ...words,
    what: `${what}: ${name}`,
    unit,
    target: TARGET,
    ours: of("ours"),
    floor: of("floor"),
    ratio: of("ours") / of("floor"),
  });
  const figures: Figure[] = [
    { ...figure("p95", "ms", p95Ms), note: `${ROUNDS} rounds: ${spread(ratios)}; ${pages}` },
    figure("Postgres", "CPU µs", cpuUs),
  ];
  bench.say(figures.map(({ what, ratio }) => `${what} ${ratio.toFixed(2)}`).join(", "));
  return figures;
}

/** Row `scale`: each filter of the track list in a large library, over a library of 10,000. */
export function scale(bench: Bench): Promise<Figure[]> {
  const tracks = Number(process.env.BENCH_TRACKS ?? (bench.quick ? LARGE_QUICK : LARGE));
  if (!Number.isInteger(tracks) || tracks < SMALL)
    throw new Error(`BENCH_TRACKS must be a number from ${SMALL} on`);
  const named = (count: number) => `${count.toLocaleString("en")} tracks`;
  return withLibrary(bench, SMALL, (small) =>
    withLibrary(bench, tracks, async (large) => {
      const figures: Figure[] = [];
      for (const what of Object.keys(small.queries))
        figures.push(
          ...(await compare(bench, {
            what,
            small,
            large,
            words: { row: `scale, ${named(tracks)}`, over: named(SMALL) },
          })),
        );
      return figures;
    }),
  );
}
