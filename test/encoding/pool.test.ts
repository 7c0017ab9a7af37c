import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { awaitStart, noteTranscoder } from "../../db/queries/job-pool.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { issueTicket, readTicket } from "../../workers/encoding/ticket.ts";
import { type FaultyStack, startFaultyStack } from "../faults/faulty-stack.ts";
import { FINISHED } from "./leases.support.ts";

/** Its crons run only on request, and nothing here is encoded: leases are taken by the functions themselves. */
let own: FaultyStack;
let sql: FaultyStack["auth"]["sql"];
let owners: number[];

beforeAll(async () => {
  own = await startFaultyStack({ TRANSCODER_URLS: "http://127.0.0.1:9" }, 0);
  sql = (text, values) => own.auth.sql(text, values);
  owners = [await own.auth.createUser(), await own.auth.createUser()];
});
afterAll(() => own?.stop());
beforeEach(() => sql("delete from tracks; delete from transcoders"));

const MB = 1_000_000;

/** A queued job whose file was uploaded some seconds ago. */
async function queue(bytes: number, { owner = owners[0], ago = 0 } = {}): Promise<number> {
  const [row] = await sql<{ id: number }>(
    `insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size)
     values ($1, 'A song', $2::text, sha256($2::text::bytea), '', 'in/' || $2::text, 'song.wav', $3)
     returning id::float8 as id`,
    [owner, randomUUID(), bytes],
  );
  await sql(
    `insert into encoding_jobs (track_id, turn, next_run_at)
     select id, job_turn(t) - make_interval(secs => $2), now() - interval '1 hour' from tracks t where id = $1`,
    [row?.id, ago],
  );
  return row?.id ?? 0;
}

interface Offered {
  track: number;
  attempt: number;
  transcoder: string;
  slots: number;
}

async function lease(transcoders: number, { leases = 1, jobs = null as object[] | null } = {}) {
  const [row] = await sql<{ offered: Offered[] }>("select lease_jobs($1::jsonb, $2, $3, 60) as offered", [
    jobs && JSON.stringify(jobs),
    Array.from({ length: leases }, () => randomUUID()),
    transcoders,
  ]);
  return row?.offered ?? [];
}

async function handOver(lease: string, transcoder: string, transcoders = 1) {
  const [row] = await sql<{ next: Offered | null }>("select hand_over_job($1, $2, $3, 60) as next", [
    lease,
    transcoder,
    transcoders,
  ]);
  return row?.next;
}

const know = (name: string, slots: number, seen = "0 s", rests: string | null = null) =>
  sql(
    `insert into transcoders (name, slots, seen_at, rests_until) values ($1, $2, now() - $3::interval, now() + $4::interval)`,
    [name, slots, seen, rests],
  );

const end = (track: number) =>
  sql("update encoding_jobs set state = 'done', lease_until = null where track_id = $1", [track]);

const tracksOf = (offered: Offered[]) => offered.map(({ track }) => track);

test("short tracks overtake a day-long one, but not those that came after its turn", async () => {
  const long = await queue(600 * MB, { ago: 599 });
  const late = await queue(2 * MB, { owner: owners[1] });
  const early = await queue(2 * MB, { owner: owners[1], ago: 590 });
  const order = tracksOf(await lease(9, { leases: 3 }));
  expect(order).toEqual([early, long, late]);
});

test("one owner's thousand tracks do not hold up another's", async () => {
  const thousand: number[] = [];
  for (let n = 0; n < 30; n++) thousand.push(await queue(50 * MB, { ago: n ? 0 : 50 }));
  const other = await queue(30 * MB, { owner: owners[1] });
  const [first, ...others] = thousand;
  expect(tracksOf(await lease(31, { leases: 31 }))).toEqual([first, other, ...others]);
});

test("an owner's short track overtakes the own long one", async () => {
  const long = await queue(2_000 * MB);
  const short = await queue(2 * MB);
  expect(tracksOf(await lease(2, { leases: 2 }))).toEqual([short, long]);
});

test("long tracks never take the last slot of a pool with several", async () => {
  await know("pool-0", 2);
  const long = [await queue(200 * MB, { ago: 999 }), await queue(200 * MB, { ago: 998 })];
  expect(tracksOf(await lease(1, { leases: 2 }))).toEqual([long[0]]);
  const short = await queue(MB);
  expect(tracksOf(await lease(1, { leases: 2 }))).toEqual([short]);
  await end(short);
  expect(await handOver(randomUUID(), "pool-0")).toBeNull();
  await end(long[0] ?? 0);
  expect(await handOver(randomUUID(), "pool-0")).toMatchObject({ track: long[1] });
});

test("jobs go to warm transcoders with room, then to cold ones, and never beyond their slots", async () => {
  await know("pool-0", 2, "1 hour");
  await know("pool-1", 2);
  await know("pool-2", 3, "0 s", "10 s");
  for (let n = 0; n < 6; n++) await queue(MB, { ago: 100 - n });
  const offered = await lease(4, { leases: 6 });
  const names = offered.map(({ transcoder }) => transcoder);
  expect(names).toEqual(["pool-1", "pool-1", "pool-0", "pool-0", "pool-3"]);
  expect(await lease(4)).toEqual([]);
});

test("an expired lease leaves room", async () => {
  const first = await queue(MB);
  expect(tracksOf(await lease(1))).toEqual([first]);
  const second = await queue(MB);
  expect(await lease(1)).toEqual([]);
  await sql("update encoding_jobs set lease_until = now() - interval '1 s' where track_id = $1", [first]);
  expect(tracksOf(await lease(1))).toEqual([second]);
});

test("another attempt has no progress yet, and the encode began with the first", async () => {
  const { userId, tokens } = await own.auth.signedIn();
  const track = await queue(MB, { owner: userId });
  const encoding = async () => {
    const headers = { Authorization: `OAuth ${tokens.access_token}` };
    const reply = await fetch(`${own.stack.urls.api}/tracks/${track}`, { headers });
    return ((await reply.json()) as Track).encoding;
  };
  await lease(1);
  await sql(
    `update encoding_jobs set progress = 0.5, segments_ready = 4, sample_rate = 44100,
       started_at = now() - interval '1 minute'`,
  );
  const first = await encoding();
  expect(first).toMatchObject({ progress: 0.5, segments_ready: 4, attempts: 1 });
  await sql("update encoding_jobs set state = 'queued', lease_until = null");
  await lease(1);
  expect(await encoding()).toEqual({ ...first, progress: 0, segments_ready: 0, attempts: 2 });
});

test("jobs that a starting transcoder will take start no other", async () => {
  await sql(
    "insert into transcoders (name, slots, rests_until, is_starting) values ('pool-0', 2, now() + interval '1 min', true)",
  );
  await queue(MB);
  await queue(MB);
  expect(await lease(3)).toEqual([]);
  await queue(MB);
  expect(await lease(3)).toMatchObject([{ transcoder: "pool-1" }]);
});

test("the next job goes to the transcoder that finished, and the repeated report names the same", async () => {
  const [first, second, third] = [await queue(MB), await queue(MB), await queue(MB)];
  expect(tracksOf(await lease(1))).toEqual([first]);
  expect(await handOver(randomUUID(), "pool-0")).toBeNull();
  await end(first);
  const lease2 = randomUUID();
  const next = await handOver(lease2, "pool-0");
  expect(next).toMatchObject({ track: second, attempt: 1, transcoder: "pool-0" });
  expect(await handOver(lease2, "pool-0")).toEqual(next);
  expect(await handOver(randomUUID(), "pool-0")).toBeNull();
  await end(second);
  expect(await handOver(randomUUID(), "pool-7")).toBeNull();
  expect(await handOver(randomUUID(), "pool-0")).toMatchObject({ track: third });
});

test("the reply to a verdict is the next job, also if the verdict is repeated or a failure", async () => {
  const [first, second, third] = [await queue(MB), await queue(MB), await queue(MB)];
  await lease(1);
  const report = async (job: unknown, kind: string, body: object) => {
    const { report_url, ticket } = job as { report_url: string; ticket: string };
    const reply = await fetch(`${report_url}/${kind}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { Authorization: `Bearer ${ticket}` },
    });
    expect(reply.status).toBe(200);
    return ((await reply.json()) as { next?: { job: string; attempt: number; ticket: string } }).next;
  };
  const [row] = await sql<{ lease: string }>(
    "select lease_token as lease from encoding_jobs where track_id = $1",
    [first],
  );
  const claims = { track: first, attempt: 1, lease: row?.lease ?? "", transcoder: "pool-0" };
  const job = {
    report_url: `http://127.0.0.1:${own.stack.ports.gateway}/jobs/${first}/report`,
    ticket: issueTicket(own.stack.secrets, claims),
  };
  expect(await report(job, "finished", FINISHED)).toBeUndefined();
  const next = await report(job, "finished", { ...FINISHED, next: true });
  expect(next).toMatchObject({ job: String(second), attempt: 1 });
  const again = await report(job, "finished", { ...FINISHED, next: true });
  const leaseOf = (ticket = "") => readTicket(own.stack.secrets, ticket);
  expect(leaseOf(again?.ticket)).toEqual(leaseOf(next?.ticket));
  const last = await report(next, "failed", { reason: "undecodable", retryable: false, next: true });
  expect(last).toMatchObject({ job: String(third), attempt: 1 });
  expect(await report(last, "failed", { reason: "killed", retryable: true, next: true })).toBeUndefined();
  await sql("delete from tracks");
});

test("a transcoder that came up while its answer was under way is not kept waiting", async () => {
  const { appDatabaseUrl, proxyUrl } = own.stack;
  const db = openDatabase({ DATABASE_URL: appDatabaseUrl, DATABASE_PROXY_URL: proxyUrl });
  expect(await awaitStart(db, "pool-0", 60)).toBe(true);
  await noteTranscoder(db, "pool-0", 2);
  expect(await awaitStart(db, "pool-0", 60)).toBe(false);
  await queue(MB);
  expect(await lease(1)).toMatchObject([{ transcoder: "pool-0", slots: 2 }]);
});

test("of many who look at once, no two get a job, and no slot gets two", async () => {
  await Promise.all(Array.from({ length: 12 }, (_, n) => know(`pool-${n}`, 1)));
  for (let n = 0; n < 10; n++) await queue(MB);
  const offered = (await Promise.all(Array.from({ length: 20 }, () => lease(12)))).flat();
  expect(new Set(tracksOf(offered)).size).toBe(10);
  expect(new Set(offered.map(({ transcoder }) => transcoder)).size).toBe(10);
});

test("an offer that nobody answers burns no attempt and rests the transcoder", async () => {
  const track = await queue(MB);
  const body = { track, generation: 1 };
  const { explicitAcks } = await own.stack.worker.queue("jobs", [
    { id: "one", timestamp: new Date(), attempts: 1, body },
  ]);
  expect(explicitAcks).toHaveLength(1);
  const [job] = await sql("select state, attempt, lease_token from encoding_jobs where track_id = $1", [
    track,
  ]);
  expect(job).toEqual({ state: "queued", attempt: 0, lease_token: null });
  const [rest] = await sql("select name, rests_until > now() as rests from transcoders");
  expect(rest).toEqual({ name: "pool-0", rests: true });
  expect(await lease(1)).toEqual([]);
});
