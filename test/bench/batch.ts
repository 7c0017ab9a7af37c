import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { issueTicket } from "../../workers/encoding/ticket.ts";
import type { Bench, Figure } from "./bench.ts";
import { createPerson, type Person } from "./people.ts";
import { wav } from "./sources.ts";
import { type BenchStack, withStack } from "./stack.ts";
import { upload } from "./tracks.ts";

/** Ten seconds of stereo PCM at 44.1 kHz. */
const BYTES = 10 * 44_100 * 4 + 44;

/** Target: 0.8 of the slots' own speed. */
const TARGET = 1.25;

const UPLOADS_AT_ONCE = 4;
const TRANSCODERS = 2;

/** Offers of a job to a transcoder that has not read the reply to its last one yet. */
const BUSY_OFFERS = 500;
const OFFER_AGAIN_MS = 2;

interface Place {
  stack: BenchStack;
  person: Person;
  source: string;
  sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
}

const HOLD = `
  insert into transcoders (name, slots, rests_until) select 'pool-' || n, 1, 'infinity' from generate_series(0, 1) n
  on conflict (name) do update set rests_until = 'infinity'`;

/** Uploads tracks that wait, because both transcoders rest. */
async function waitingTracks({ person, source, sql }: Place, count: number): Promise<number[]> {
  await sql(HOLD);
  const tracks: number[] = [];
  const some = async () => {
    for (let left = count / UPLOADS_AT_ONCE; left > 0; left--) {
      const { id } = await upload(person, source);
      const fields = { upload_id: id, title: basename(source), sharing: "private" };
      tracks.push((await person.call<Track>("POST", "/tracks", { track: fields })).id);
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, some));
  return tracks;
}

/** Seconds for tracks that come from the queue, and the statements of each. */
async function ourBatch(place: Place, count: number) {
  const tracks = await waitingTracks(place, count);
  const before = await statements(place);
  await place.sql("update transcoders set rests_until = null");
  let run: { left: number; seconds: number } | undefined;
  do {
    await sleep(1_000);
    [run] = await place.sql<{ left: number; seconds: number }>(
      `select count(*) filter (where state <> 'done')::int as left,
         extract(epoch from max(finished_at) - min(started_at))::float8 as seconds
       from encoding_jobs where track_id = any($1)`,
      [tracks],
    );
  } while (run?.left);
  return { seconds: run?.seconds ?? Number.NaN, statements: ((await statements(place)) - before) / count };
}

async function statements({ stack }: Place): Promise<number> {
  const reply = await fetch(new URL("stats", stack.proxyUrl));
  return ((await reply.json()) as { queries: number }).queries;
}

/** Seconds for tracks whose leases we hold: each slot gets the next as soon as the gateway has taken a result. */
async function backToBack(place: Place, count: number): Promise<number> {
  const { stack, sql } = place;
  const tracks = await waitingTracks(place, count);
  const finished = new Map<number, () => void>();
  const reports = await startReportProxy(stack, (track) => finished.get(track)?.());
  const startedMs = performance.now();
  const slot = async (port: number) => {
    for (let track = tracks.pop(); track !== undefined; track = tracks.pop()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      finished.set(track, resolve);
      await post(port, track, await lease(track));
      await promise;
    }
  };
  const lease = async (track: number) => {
    const token = randomUUID();
    await sql(
      `update encoding_jobs set state = 'leased', attempt = 1, lease_token = $2, started_at = now(),
         lease_until = now() + interval '10 minutes' where track_id = $1`,
      [track, token],
    );
    return issueTicket(stack.secrets, { track, attempt: 1, lease: token, transcoder: "pool-0" });
  };
  const post = async (port: number, track: number, ticket: string) => {
    const gateway = `http://127.0.0.1:${stack.ports.gateway}/jobs/${track}`;
    const job = {
      job: String(track),
      attempt: 1,
      ticket,
      source_bytes: BYTES,
      source_url: `${gateway}/source`,
      outputs_url: `${gateway}/outputs`,
      report_url: `${reports.url}/jobs/${track}/report`,
    };
    const headers = { Authorization: `Bearer ${stack.secrets.TRANSCODER_SECRET}` };
    const offer = () =>
      fetch(`http://127.0.0.1:${port}/jobs`, { method: "POST", body: JSON.stringify(job), headers });
    let reply = await offer();
    // We may know of a result's reply before the transcoder has read it. Until then its slot is taken.
    for (let left = BUSY_OFFERS; reply.status === 503 && left > 0; left--) {
      await sleep(OFFER_AGAIN_MS);
      reply = await offer();
    }
    if (reply.status !== 202) throw new Error(`a transcoder answered ${reply.status}: ${await reply.text()}`);
  };
  const ports = Array.from({ length: TRANSCODERS }, (_, at) => stack.ports.transcoder + at);
  try {
    await Promise.all(ports.map(slot));
  } finally {
    reports.close();
  }
  return (performance.now() - startedMs) / 1000;
}

/** Passes reports on to the gateway and tells which track has finished. */
async function startReportProxy({ ports }: BenchStack, onFinished: (track: number) => void) {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { "content-type": type = "", authorization = "" } = incoming.headers;
    const reply = await fetch(`http://127.0.0.1:${ports.gateway}${incoming.url}`, {
      method: "POST",
      body: Buffer.concat(chunks),
      headers: { "Content-Type": type, Authorization: authorization },
    });
    response.writeHead(reply.status).end(Buffer.from(await reply.arrayBuffer()));
    const [, track] = /^\/jobs\/(\d+)\/report\/finished$/.exec(incoming.url ?? "") ?? [];
    if (track && reply.ok) onFinished(Number(track));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

/** Row `batch`: a label's thousand tracks of ten seconds against two slots. */
export async function batch(bench: Bench): Promise<Figure[]> {
  const source = await wav(bench, BYTES);
  const count = bench.quick ? 40 : 1_000;
  const few = count / 10;
  return withStack(
    bench,
    async (stack) => {
      const pool = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
      try {
        const place: Place = {
          stack,
          source,
          person: await createPerson(stack),
          sql: async (text, values) => (await pool.query(text, values)).rows,
        };
        await ourBatch(place, few);
        const plain = (await backToBack(place, 2 * few)) / (2 * few);
        bench.say(`batch: ${plain.toFixed(2)} s a track back to back`);
        const short = await ourBatch(place, few);
        const whole = await ourBatch(place, count);
        const ours = whole.seconds / count;
        bench.say(`batch: ${ours.toFixed(2)} s a track of ${count}`);
        return [
          {
            row: "batch",
            what: `${count} tracks of 10 s on two slots, wall a track`,
            over: "back to back without a queue",
            unit: "s",
            ours,
            floor: plain,
            ratio: ours / plain,
            target: TARGET,
            note: `statements a job: ${whole.statements.toFixed(1)} of ${count}, ${short.statements.toFixed(1)} of ${few}`,
          },
        ];
      } finally {
        await pool.end();
      }
    },
    undefined,
    { TRANSCODER_SLOTS: "1" },
  );
}
