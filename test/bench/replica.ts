import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import type { Bench, Figure } from "./bench.ts";
import { type Fan, fans } from "./fans.ts";
import { withDatabase } from "./list-sides.ts";
import { stoppable } from "./stops.ts";

const REQUESTS = 10_000;
const LISTENERS = 100;
const TRACKS = 500;
const AT_ONCE = 8;
/** Share of the reads that the primary may answer. */
const TARGET = 0.1;

/** Each track has a comment, because what a replica finds empty the primary is asked again. */
const SEED = `with made as (
    insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
      original_content_size)
    select (select min(id) from users), 'Song ' || n, 'song-' || n, sha256(n::text::bytea), '', 'song-' || n, 'song.wav', 1000
    from generate_series(1, ${TRACKS}) n returning id
  ), job as (insert into encoding_jobs (track_id, state, next_run_at) select id, 'queued', 'infinity' from made),
  said as (insert into comments (user_id, track_id, body, sanitizer_version)
    select (select min(id) from users), id, 'Here', 1 from made)
  select id::float8 as id from made`;

interface Sent {
  method: string;
  path: string;
}

/** Tracks 50 %, lists 20 %, profiles 10 %, feeds 10 %, likes 10 %. The same in each run. */
function request(at: number, tracks: number[], listeners: Fan[]): Sent {
  const pick = <T>(items: T[], step: number) => items[(at * step) % items.length] as T;
  const track = pick(tracks, 7919);
  const dice = (at * 37) % 100;
  if (dice < 50) return { method: "GET", path: `/tracks/${track}` };
  if (dice < 70) return { method: "GET", path: "/tracks?limit=20" };
  if (dice < 80) return { method: "GET", path: `/users/${pick(listeners, 31).userId}` };
  if (dice < 90) return { method: "GET", path: `/tracks/${track}/comments` };
  return { method: dice < 96 ? "POST" : "DELETE", path: `/likes/tracks/${track}` };
}

const statsOf = async (proxyUrl = "") =>
  (await (await fetch(new URL("stats", proxyUrl))).json()) as { reads: number; queries: number };

/** Sends all requests. Each listener returns the header of its latest write, if `carries`. */
async function run(stack: Stack, tracks: number[], listeners: Fan[], carries: boolean) {
  const before = await Promise.all([statsOf(stack.proxyUrl), statsOf(stack.replica?.proxyUrl)]);
  const latest = new Map<Fan, string>();
  let [next, reads] = [0, 0];
  const worker = async () => {
    for (let at = next++; at < REQUESTS; at = next++) {
      const listener = listeners[(at * 13) % listeners.length] as Fan;
      const { method, path } = request(at, tracks, listeners);
      const reply = await fetch(stack.urls.api + path, {
        method,
        headers: {
          Authorization: `OAuth ${listener.token}`,
          ...(carries && { "Read-After": latest.get(listener) ?? "0" }),
        },
      });
      await reply.arrayBuffer();
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status}`);
      const written = reply.headers.get("Read-After");
      if (written) latest.set(listener, written);
      if (method === "GET") reads++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const after = await Promise.all([statsOf(stack.proxyUrl), statsOf(stack.replica?.proxyUrl)]);
  const [primary = 0, replica = 0] = after.map((stats, side) => stats.reads - (before[side]?.reads ?? 0));
  // A proxy knows a new text as a read from its second use on. What neither has counted counts as the primary's.
  return { reads, primary: Math.max(primary, reads - replica), replica };
}

/** Row `replica`: 10,000 requests of users to a stack with a replica; how many reads the primary still answers. */
export async function replica(bench: Bench): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(bench.scratch, "replica-"));
  const stack = await startStack({
    ...{ port: await freePorts(3), dataDir, crons: false, transcoders: 1, log: () => {} },
    env: { LIKES_PER_HOUR: "off", CHECK_REPLIES: "off" },
    replica: { delayS: 0 },
  });
  const stop = stoppable(async () => {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  try {
    const { tracks, listeners } = await withDatabase(stack, async (client) => {
      const made = await fans(stack, client, LISTENERS);
      const { rows } = await client.query<{ id: number }>(SEED);
      return { listeners: made, tracks: rows.map(({ id }) => id) };
    });
    const figures: Figure[] = [];
    for (const carries of [true, false]) {
      const { reads, primary, replica: left } = await run(stack, tracks, listeners, carries);
      bench.say(`replica: of ${reads} reads the primary answered ${primary}, and the replica heard ${left}`);
      figures.push({
        row: "replica",
        what: `Reads by the primary, of clients that ${carries ? "return" : "send no"} \`Read-After\``,
        over: "all reads of 10,000 mixed requests, a tenth of them writes",
        ...{ unit: "reads", ours: primary, floor: reads, ratio: primary / reads },
        ...(carries && { target: TARGET }),
      });
    }
    return figures;
  } finally {
    await stop();
  }
}
