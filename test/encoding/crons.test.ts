import { randomUUID } from "node:crypto";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import type { Env, JobPointer } from "../../functions/lib/http/env.ts";
import { reconcile } from "../../workers/crons/reconcile.ts";
import { noteEnd } from "../../workers/encoding/pool.ts";
import { issueTicket } from "../../workers/encoding/ticket.ts";
import { UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { type FaultyStack, startFaultyStack } from "../faults/faulty-stack.ts";
import { storageOf } from "../support/tracks.ts";

/** Limit on the jobs per run, if the pool has room for more. */
const BATCH = 50;
const LARGE_POOL = "100";

/** Its crons run only on request. */
let own: FaultyStack;
let sql: FaultyStack["auth"]["sql"];
let owner: number;

beforeAll(async () => {
  own = await startFaultyStack();
  sql = (text, values) => own.auth.sql(text, values);
  owner = await own.auth.createUser();
});

afterAll(() => own.stop());

beforeEach(() => sql("delete from tracks"));

/** Queued for ten minutes, the first longest, with ids in that order. */
async function queuedTracks(count: number): Promise<number[]> {
  const keys = Array.from({ length: count }, () => `in/${owner}/${randomUUID()}`);
  const rows = await sql<{ id: number }>(
    `with made as (
       insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
         original_content_size, state)
       select $1::bigint, 'Waiting', md5(key), sha256(key::bytea), '', key, 'song.wav', 4, 'processing'
       from unnest($2::text[]) key returning id, original_key)
     insert into encoding_jobs (track_id, state, next_run_at)
     select m.id, 'queued', now() - interval '10 minutes' + k.place * interval '1 second'
     from made m join unnest($2::text[]) with ordinality k(key, place) on k.key = m.original_key
     order by k.place returning track_id::float8 as id`,
    [owner, keys],
  );
  const objects = storageOf(own.stack);
  const put = (Key: string) =>
    objects.send(new PutObjectCommand({ Bucket: UPLOADS_BUCKET, Key, Body: "text" }));
  await Promise.all(keys.map(put));
  return rows.map(({ id }) => id);
}

interface SentJob {
  body: JobPointer;
  delaySeconds?: number;
}

/** Runs a part of the Worker. Returns the messages that it sent. */
async function sentBy(part: (env: Env) => Promise<void>, transcoders = LARGE_POOL): Promise<SentJob[]> {
  const sent: SentJob[] = [];
  const queue = { sendBatch: async (messages: SentJob[]) => void sent.push(...messages) };
  const { appDatabaseUrl, proxyUrl, secrets } = own.stack;
  const env = {
    ...secrets,
    DATABASE_URL: appDatabaseUrl,
    DATABASE_PROXY_URL: proxyUrl,
    TRANSCODERS: transcoders,
  };
  await part({ ...env, JOBS: queue, WEBHOOKS: queue, CONNECTION_POSTS: queue } as unknown as Env);
  return sent;
}

/** Runs the minute's cron. Returns the tracks whose jobs it sent. */
const sentByRun = async (transcoders?: string) =>
  (await sentBy(reconcile, transcoders)).map(({ body }) => body.track);

const sorted = (ids: number[]) => ids.toSorted((a, b) => a - b);

test("after ten minutes without a cron each run sends fifty jobs once, the longest waiting first (F50)", async () => {
  const waiting = await queuedTracks(120);
  const runs = [await sentByRun(), await sentByRun(), await sentByRun(), await sentByRun()];
  expect(runs.map(({ length }) => length)).toEqual([BATCH, BATCH, 20, 0]);
  for (const [at, run] of runs.entries())
    expect(sorted(run)).toEqual(sorted(waiting.slice(at * BATCH, (at + 1) * BATCH)));
});

test("a run sends no more jobs than the pool has room for", async () => {
  const waiting = await queuedTracks(5);
  expect(sorted(await sentByRun("3"))).toEqual(sorted(waiting.slice(0, 3)));
  await sql("update encoding_jobs set dispatched_at = null");
  const lease = (places: number[]) =>
    sql(
      `update encoding_jobs set state = 'leased', attempt = 1, transcoder = 'pool-' || place, lease_token = gen_random_uuid(),
         lease_until = now() + interval '1 minute'
       from unnest($1::bigint[], $2::int[]) as l (track, place) where track_id = track`,
      [waiting.slice(0, places.length), places],
    );
  await lease([0, 2]);
  expect(await sentByRun("3")).toEqual([waiting[2]]);
  await sql("update encoding_jobs set dispatched_at = null");
  await lease([0, 1, 2]);
  expect(await sentByRun("3")).toEqual([]);
  await sql("update encoding_jobs set state = 'queued', lease_token = null, lease_until = null");
  await sql(
    `insert into transcoders (name, slots, rests_until) select 'pool-' || n, 1, now() + interval '1 minute'
     from generate_series(0, 2) n on conflict (name) do update set rests_until = excluded.rests_until`,
  );
  expect(await sentByRun("3")).toEqual([]);
  await sql("delete from transcoders");
  expect(await sentByRun("3")).toHaveLength(3);
});

test("the returning cron clears the backlog without using up attempts (F50)", async () => {
  await queuedTracks(BATCH + 10);
  await expect
    .poll(
      async () => {
        await own.stack.worker.scheduled({ cron: "* * * * *" });
        return sql(
          "select state, failure_reason as reason, attempt, count(*)::int from encoding_jobs group by 1, 2, 3",
        );
      },
      { timeout: 180_000, interval: 1_000 },
    )
    .toEqual([{ state: "failed", reason: "unsupported_format", attempt: 1, count: BATCH + 10 }]);
});

test("concurrent crons send each job once and count a lost lease once (F51)", async () => {
  const waiting = await queuedTracks(40);
  const lost = waiting.slice(0, 10);
  await sql(
    `update encoding_jobs set state = 'leased', attempt = 1, lease_token = gen_random_uuid(), lease_until = now() - interval '1 s'
     where track_id = any ($1)`,
    [lost],
  );
  const runs = await Promise.all(Array.from({ length: 8 }, () => sentByRun()));
  const later = await sentByRun();
  expect(sorted([...runs.flat(), ...later])).toEqual(sorted(waiting));
  const requeued = await sql(
    `select state, attempt, next_run_at > now() as later, count(*)::int from encoding_jobs where track_id = any ($1) group by 1, 2, 3`,
    [lost],
  );
  expect(requeued).toEqual([{ state: "queued", attempt: 1, later: true, count: 10 }]);
});

test("a second concurrent cron does nothing, and the next one finishes the rest (F51)", async () => {
  const [lost = 0, ...waiting] = await queuedTracks(3);
  await sql(
    `update encoding_jobs set state = 'leased', attempt = 1, lease_token = gen_random_uuid(), lease_until = now() - interval '1 s'
     where track_id = $1`,
    [lost],
  );
  const other = await own.auth.connect();
  try {
    await other.query("begin");
    await other.query(
      "select pg_advisory_xact_lock(hashtext('encoding_jobs requeue')), pg_advisory_xact_lock(hashtext('encoding_jobs dispatch'))",
    );
    expect(await sentByRun()).toEqual([]);
    expect(await sql("select state from encoding_jobs where track_id = $1", [lost])).toEqual([
      { state: "leased" },
    ]);
    await other.query("commit");
  } finally {
    other.release();
  }
  expect(sorted(await sentByRun())).toEqual(sorted([lost, ...waiting]));
  expect(await sql("select state from encoding_jobs where track_id = $1", [lost])).toEqual([
    { state: "queued" },
  ]);
});

test("a transcoder that stopped loses its jobs at once, and each is sent for the moment of its next attempt (F37)", async () => {
  const [first = 0, second = 0, other = 0] = await queuedTracks(3);
  const lease = (track: number, transcoder: string, attempt: number) =>
    sql(
      `update encoding_jobs set state = 'leased', attempt = $3, transcoder = $2, lease_token = gen_random_uuid(),
         lease_until = now() + interval '1 minute' where track_id = $1`,
      [track, transcoder, attempt],
    );
  await Promise.all([lease(first, "pool-3", 1), lease(second, "pool-3", 2), lease(other, "pool-4", 1)]);
  const sent = await sentBy((env) => noteEnd(openDatabase(env), env, "pool-3"));
  const delays = new Map(sent.map(({ body, delaySeconds = 0 }) => [body.track, delaySeconds]));
  expect(sorted([...delays.keys()])).toEqual(sorted([first, second]));
  // After 5 and 20 seconds, up to a fifth more at random, and one for messages that come early.
  expect(delays.get(first)).toBeGreaterThan(5);
  expect(delays.get(first)).toBeLessThanOrEqual(7);
  expect(delays.get(second)).toBeGreaterThan(20);
  expect(delays.get(second)).toBeLessThanOrEqual(25);
  expect(await sql("select track_id::float8 as id from encoding_jobs where state = 'leased'")).toEqual([
    { id: other },
  ]);
});

test("a failed attempt sends its own next one", async () => {
  const [track = 0] = await queuedTracks(1);
  const [row] = await sql<{ lease: string }>(
    `update encoding_jobs set state = 'leased', attempt = 1, lease_token = gen_random_uuid(),
       lease_until = now() + interval '1 minute' where track_id = $1 returning lease_token as lease`,
    [track],
  );
  const claims = { track, attempt: 1, lease: row?.lease ?? "", transcoder: "pool-0" };
  const ticket = issueTicket(own.stack.secrets, claims);
  const reply = await fetch(`http://127.0.0.1:${own.stack.ports.gateway}/jobs/${track}/report/failed`, {
    method: "POST",
    body: JSON.stringify({ reason: "killed", retryable: true }),
    headers: { Authorization: `Bearer ${ticket}` },
  });
  expect(reply.status).toBe(200);
  // Its crons do not run, so only a message leads to the second attempt.
  await expect
    .poll(() => sql("select state, attempt from encoding_jobs where track_id = $1", [track]))
    .toEqual([{ state: "failed", attempt: 2 }]);
});
