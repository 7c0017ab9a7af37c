import type { Bench, Figure } from "./bench.ts";
import { withDatabase, withListSides } from "./list-sides.ts";
import { seedTracks } from "./seed.ts";
import type { BenchStack } from "./stack.ts";

const TRACKS = 10_000;
const ROUNDS = 5;
const REQUESTS = 300;
const IDS = 200;

const idsFromEverywhere = (stack: BenchStack) =>
  withDatabase(stack, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from tracks order by md5(id::text) limit ${IDS}`,
    );
    return rows.map(({ id }) => id).join();
  });

/** Row `lists`: 200 tracks by id and a page of 50, over Fastify and `pg` with the same JSON and database. */
export const lists = (bench: Bench): Promise<Figure[]> =>
  withListSides(
    bench,
    ({ databaseUrl }) => seedTracks(databaseUrl, TRACKS, bench.say),
    async (run, stack) => {
      const asked = { row: "lists", rounds: ROUNDS, requests: REQUESTS, target: 1 };
      const ids = await idsFromEverywhere(stack);
      return [
        ...(await run({ ...asked, what: `${IDS} ids`, paths: [`/tracks?limit=${IDS}&ids=${ids}`] })),
        ...(await run({ ...asked, what: "a page of 50", paths: ["/tracks?limit=50"] })),
      ];
    },
  );
