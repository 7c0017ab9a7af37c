import type { Feed } from "../../functions/api/feed/representation.ts";
import type { Me } from "../../functions/api/users/representation-me.ts";
import { type Bench, type Figure, medianOf, spread } from "./bench.ts";
import { createPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { send } from "./race.ts";
import { treeCpuS } from "./readings.ts";
import { seedFeeds } from "./seed-feeds.ts";
import { withStack } from "./stack.ts";

const TRACKS = 1_000_000;
const TRACKS_QUICK = 50_000;
/** A smaller library lacks two thousand users to follow, some of them quiet. */
const FEWEST = 50_000;
const ROUNDS = 7;
const REQUESTS = 60;
const WARM_UP = 20;
const TARGET = 3;

const SIDES = { many: "2,000 followed", quiet: "2,000 followed who were quiet lately" } as const;

/** Row `feed`: a feed page of a user who follows two thousand, over one who follows twenty. */
export function feed(bench: Bench): Promise<Figure[]> {
  const tracks = Number(process.env.BENCH_TRACKS ?? (bench.quick ? TRACKS_QUICK : TRACKS));
  if (!Number.isInteger(tracks) || tracks < FEWEST)
    throw new Error(`BENCH_TRACKS must be a number from ${FEWEST} on`);
  return withStack(bench, async (stack) => {
    const people = {
      twenty: await createPerson(stack),
      many: await createPerson(stack),
      quiet: await createPerson(stack),
    };
    const idOf = async (who: keyof typeof people) => (await people[who].call<Me>("GET", "/me")).id;
    const readers = { twenty: await idOf("twenty"), many: await idOf("many"), quiet: await idOf("quiet") };
    const startedMs = performance.now();
    await seedFeeds(stack.databaseUrl, tracks, readers, bench.say);
    bench.say(`${tracks} tracks seeded in ${Math.round((performance.now() - startedMs) / 1000)} s`);
    const { port, stop } = await startPlainWorker(stack);
    const path = "/me/feed?limit=50";
    const ask = async (who: keyof typeof people, requests: number) => {
      const headers = { Authorization: `OAuth ${await people[who].token()}` };
      const beforeS = treeCpuS(stack.pids.postgres);
      const { p95Ms } = await send({ port, path, headers, requests, connections: 1 });
      return { p95Ms, postgresS: treeCpuS(stack.pids.postgres) - beforeS };
    };
    const itemsOf = async (who: keyof typeof people) => {
      const headers = { Authorization: `OAuth ${await people[who].token()}` };
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return ((await reply.json()) as Feed).collection.length;
    };
    try {
      const figures: Figure[] = [];
      for (const [side, what] of Object.entries(SIDES) as [keyof typeof SIDES, string][]) {
        const pages = `a page of ${await itemsOf(side)} over ${await itemsOf("twenty")}`;
        await ask("twenty", WARM_UP);
        await ask(side, WARM_UP);
        const rounds: Record<"ours" | "floor", Awaited<ReturnType<typeof ask>>>[] = [];
        for (let round = 1; round <= ROUNDS; round++) {
          const floor = await ask("twenty", REQUESTS);
          rounds.push({ floor, ours: await ask(side, REQUESTS) });
        }
        figures.push(...figuresOf({ rounds, what, tracks, pages }));
        bench.say(figures.map(({ what, ratio }) => `${what} ${ratio.toFixed(2)}`).join(", "));
      }
      return figures;
    } finally {
      await stop();
    }
  });
}

interface Measured {
  rounds: Record<"ours" | "floor", { p95Ms: number; postgresS: number }>[];
  what: string;
  tracks: number;
  pages: string;
}

function figuresOf({ rounds, what, tracks, pages }: Measured): Figure[] {
  const words = { row: `feed, ${tracks.toLocaleString("en")} tracks`, over: "20 followed" };
  const figure = (name: string, unit: Figure["unit"], of: (side: "ours" | "floor") => number) => ({
    ...words,
    what: `${what}: ${name}`,
    unit,
    ours: of("ours"),
    floor: of("floor"),
    ratio: of("ours") / of("floor"),
  });
  const ratios = rounds.map(({ ours, floor }) => ours.p95Ms / floor.p95Ms);
  // The kernel counts CPU in ticks of 10 ms. One round is too short, so the rounds are summed.
  const cpuUs = (side: "ours" | "floor") =>
    (rounds.reduce((sum, round) => sum + round[side].postgresS, 0) * 1e6) / (ROUNDS * REQUESTS);
  return [
    {
      ...figure("p95", "ms", (side) => medianOf(rounds, (round) => round[side].p95Ms)),
      target: TARGET,
      note: `${ROUNDS} rounds: ${spread(ratios)}; ${pages}`,
    },
    figure("Postgres", "CPU µs", cpuUs),
  ];
}
