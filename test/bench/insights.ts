import pg from "pg";
import type { Me } from "../../functions/api/users/representation-me.ts";
import { type Bench, type Figure, medianOf } from "./bench.ts";
import { createPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { send } from "./race.ts";
import { treeCpuS } from "./readings.ts";
import { withStack } from "./stack.ts";

const TRACKS = 1_000;
const TRACKS_QUICK = 100;
const DAYS = 730;
const REQUESTS = 40;
const WARM_UP = 10;
const ROUNDS = 5;
/** Milliseconds of PostgreSQL's CPU. */
const TARGET_MS = 50;

const BY = "by=country,app,referrer,progress,track";
const DAY_MS = 86_400_000;

const dayBack = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

const PAGES: Record<string, string> = {
  "two years by month": `/me/insights?from=${dayBack(DAYS - 1)}&interval=month&${BY}`,
  "two years by day": `/me/insights?from=${dayBack(DAYS - 1)}&interval=day&${BY}`,
  "90 days": `/me/insights?from=${dayBack(89)}&interval=day&${BY}`,
  "28 days": `/me/insights?from=${dayBack(27)}&interval=day&${BY}`,
};

/** Row `insights`: everything about one artist with a thousand tracks and two years, in one statement. */
export function insights(bench: Bench): Promise<Figure[]> {
  const tracks = bench.quick ? TRACKS_QUICK : TRACKS;
  return withStack(bench, async (stack) => {
    const artist = await createPerson(stack);
    const { id } = await artist.call<Me>("GET", "/me");
    await seed(stack.databaseUrl, id, tracks);
    const { port, stop } = await startPlainWorker(stack);
    const headers = { Authorization: `OAuth ${await artist.token()}` };
    try {
      const figures: Figure[] = [];
      for (const [what, path] of Object.entries(PAGES)) {
        await send({ port, path, headers, requests: WARM_UP, connections: 1 });
        const rounds: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const beforeS = treeCpuS(stack.pids.postgres);
          await send({ port, path, headers, requests: REQUESTS, connections: 1 });
          rounds.push(((treeCpuS(stack.pids.postgres) - beforeS) / REQUESTS) * 1000);
        }
        const ours = medianOf(rounds, (ms) => ms);
        bench.say(`${what}: ${ours.toFixed(1)} ms`);
        figures.push({
          row: `insights, ${tracks.toLocaleString("en")} tracks`,
          what,
          over: "the target",
          unit: "ms",
          ours,
          floor: TARGET_MS,
          ratio: ours / TARGET_MS,
          target: 1,
          note: "CPU of Postgres",
        });
      }
      return figures;
    } finally {
      await stop();
    }
  });
}

/** Every track has plays on every day, and the last weeks have hours; the artist has 60 countries and 20 pages a day. */
async function seed(databaseUrl: string, owner: number, tracks: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const counts = "(random() * 50)::int, (random() * 2)::int, (random() * 3)::int, 0, 0";
  const columns = "grain, started_at, plays, downloads, likes, reposts, comments";
  const days = `generate_series(date_trunc('day', now(), 'UTC') - interval '${DAYS - 1} days', now(), interval '1 day') d`;
  const hours =
    "generate_series(date_trunc('hour', now(), 'UTC') - interval '40 days', now(), interval '1 hour') d";
  const own = `(select id from tracks where user_id = ${owner}) t`;
  const breakdown = (dimension: string, value: string, values: number, codes: number) => `
    insert into user_breakdowns (user_id, dimension, grain, started_at, value, plays, listeners)
    select ${owner}, '${dimension}', 'day', d, ${value}, 100, array(
      select ((c * ${512 / codes})::int * 32 + 1 + (random() * 9)::int)::smallint from generate_series(0, ${codes - 1}) c)
    from ${days}, generate_series(1, ${values}) n`;
  const steps = [
    `insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size)
     select ${owner}, 'Song ' || n, 'song-' || n, sha256(n::text::bytea), '\\x00', 'in/' || n, 'a.wav', 1
     from generate_series(1, ${tracks}) n`,
    `insert into track_insights (track_id, ${columns}) select t.id, 'day', d, ${counts} from ${own}, ${days}`,
    `insert into track_insights (track_id, ${columns}) select t.id, 'hour', d, ${counts} from ${own}, ${hours}`,
    breakdown("all", "''", 1, 512),
    breakdown("country", "chr(64 + n / 26 + 1) || chr(65 + n % 26)", 60, 4),
    breakdown("app", "'app-' || n", 5, 4),
    breakdown("referrer", "'blog-' || n || '.example'", 20, 4),
    breakdown("quarter", "n::text", 4, 4),
    `insert into track_insights (track_id, ${columns})
     select track_id, 'month', date_trunc('month', started_at, 'UTC'), sum(plays), sum(downloads), sum(likes), 0, 0
     from track_insights where grain = 'day' group by 1, 3`,
    `insert into user_insights (user_id, ${columns})
     select ${owner}, grain, started_at, sum(plays), sum(downloads), sum(likes), 0, 0 from track_insights group by 2, 3`,
    `insert into user_breakdowns (user_id, dimension, grain, started_at, value, plays, listeners)
     select user_id, dimension, 'month', date_trunc('month', started_at, 'UTC'), value, sum(plays),
       '{33,65,97,129}'::smallint[]
     from user_breakdowns where grain = 'day' and dimension <> 'all' group by 1, 2, 4, 5`,
    `insert into user_breakdowns (user_id, dimension, grain, started_at, value, plays, listeners)
     select distinct on (date_trunc('month', started_at, 'UTC')) user_id, 'all', 'month', date_trunc('month', started_at, 'UTC'),
       '', plays * 30, listeners from user_breakdowns where grain = 'day' and dimension = 'all'`,
    "vacuum analyze",
  ];
  try {
    for (const step of steps) await client.query(step);
  } finally {
    await client.end();
  }
}
