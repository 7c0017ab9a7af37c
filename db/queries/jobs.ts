import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import type { Media } from "./media.ts";

/** An encode that failed this often is given up. */
const MAX_ATTEMPTS = 5;

/** Seconds that a lease lasts without a heartbeat; the transcoder sends one every 15. */
const LEASE_S = 60;

/** Seconds of the first lease: longer than a container may take to start, or the cron would take the job away meanwhile. */
const OFFER_LEASE_S = 90;

/** Seconds until a job is offered again that no transcoder heard of. */
const UNREACHABLE_DELAY_S = 10;

/** Seconds after which a job that was sent to the queue, and never leased, is sent again. */
const RESEND_AFTER_S = 60;

export interface JobPointerRow {
  track: number;
  generation: number;
}

export interface LeasedJob {
  attempt: number;
  original_key: string;
  /** Bytes. */
  original_content_size: number;
}

/** 5 s, 20 s, 80 s … and a fifth more by chance, so that what failed together does not come back together. */
const backoff: SQL = sql`make_interval(secs => 5 * 4 ^ (greatest(attempt, 1) - 1) * (1 + random() / 5))`;

/** Takes a job that is queued and due. `undefined` for any other: done, leased by somebody, of an older generation. */
export async function leaseJob(
  db: Database,
  { track, generation }: JobPointerRow,
  leaseToken: string,
): Promise<LeasedJob | undefined> {
  const [row] = await db.execute<LeasedJob>(sql`
    update encoding_jobs j
    set state = 'leased', attempt = attempt + 1, lease_token = ${leaseToken}, progress = 0, segments_ready = 0,
      lease_until = now() + make_interval(secs => ${OFFER_LEASE_S}), started_at = coalesce(j.started_at, now())
    from tracks t
    where j.track_id = ${track} and t.id = j.track_id and j.generation = ${generation}
      and j.state = 'queued' and j.next_run_at <= now() and j.attempt < ${MAX_ATTEMPTS}
    returning j.attempt, t.original_key, t.original_content_size::float8`);
  return row;
}

/** A queued job that was offered since it was last sent found no room. It waits to be woken. */
const isWaiting: SQL = sql`lease_until >= dispatched_at`;

/** No transcoder had room: no attempt was made, and the job waits. `alone`: no other job runs whose end would wake it. */
export async function parkJob(db: Database, track: number, leaseToken: string): Promise<{ alone: boolean }> {
  const [parked] = await db.execute<{ alone: boolean }>(sql`
    update encoding_jobs
    set state = 'queued', attempt = attempt - 1, lease_token = null, lease_until = clock_timestamp(),
      dispatched_at = coalesce(dispatched_at, now())
    where track_id = ${track} and lease_token = ${leaseToken} and state = 'leased'
    returning not exists (select from encoding_jobs o where o.state = 'leased' and o.track_id <> ${track}) as alone`);
  return parked ?? { alone: false };
}

/** No transcoder was heard: no attempt was made. The cron sends the job again. */
export const releaseJob = (db: Database, track: number, leaseToken: string) =>
  db.execute(sql`
    update encoding_jobs
    set state = 'queued', attempt = attempt - 1, lease_token = null, lease_until = null, dispatched_at = null,
      next_run_at = now() + make_interval(secs => ${UNREACHABLE_DELAY_S})
    where track_id = ${track} and lease_token = ${leaseToken} and state = 'leased'`);

const isAttempt = (track: number, leaseToken: string): SQL =>
  sql`j.track_id = ${track} and j.lease_token = ${leaseToken}`;

/** One that ran out is dead, though nobody has taken the job yet. */
const isAlive: SQL = sql`j.state = 'leased' and j.lease_until > now()`;

/** The uploaded file of a job, for whoever holds its lease. */
export async function findOriginal(db: Database, track: number, leaseToken: string) {
  const [row] = await db.read<{ key: string; size: number }>(sql`
    select t.original_key as key, t.original_content_size::float8 as size
    from encoding_jobs j join tracks t on t.id = j.track_id
    where ${isAttempt(track, leaseToken)} and ${isAlive}`);
  return row;
}

/**
 * Before each write of an attempt: its source's size, or `undefined` where the lease is gone. From the first write on the
 * prefix is garbage, unless the attempt finishes.
 */
export async function admitWrite(
  db: Database,
  track: number,
  leaseToken: string,
  prefix: string,
): Promise<{ sourceBytes: number } | undefined> {
  const [row] = await db.execute<{ sourceBytes: number }>(sql`
    with held as (
      select t.original_content_size from encoding_jobs j join tracks t on t.id = j.track_id
      where ${isAttempt(track, leaseToken)} and ${isAlive}
    ), garbage as (
      insert into object_garbage (prefix, bucket, due_at) select ${prefix}, 'media', now() + interval '48 hours' from held
      where not exists (select from object_garbage where prefix = ${prefix}) on conflict do nothing)
    select original_content_size::float8 as "sourceBytes" from held`);
  return row;
}

/** A source read to its end is no encode that is done, whatever an older transcoder says: 1 comes with `finished`. */
const MOST_PROGRESS = 0.999;

/** False where the lease is no longer this attempt's. */
export async function heartbeat(
  db: Database,
  track: number,
  leaseToken: string,
  { progress, segmentsReady }: { progress: number; segmentsReady: number },
): Promise<boolean> {
  const held = await db.execute(sql`
    update encoding_jobs j
    set lease_until = now() + make_interval(secs => ${LEASE_S}),
      progress = greatest(progress, ${Math.min(progress, MOST_PROGRESS)}),
      segments_ready = greatest(segments_ready, ${segmentsReady})
    where ${isAttempt(track, leaseToken)} and ${isAlive} returning 1`);
  return held.length > 0;
}

export interface Finished {
  durationMs: number;
  family: string;
  prefix: string;
  media: Media;
}

/** Job, track and garbage together, fenced by the lease. Repeated, it changes nothing and is true again. */
export async function finishJob(
  db: Database,
  track: number,
  leaseToken: string,
  finished: Finished,
): Promise<boolean> {
  const settled = await db.execute(sql`
    with mine as (
      select track_id, state from encoding_jobs j
      where ${isAttempt(track, leaseToken)} and (${isAlive} or state = 'done') for update
    ), job as (
      update encoding_jobs j
      set state = 'done', progress = 1, finished_at = now(), failure_reason = null, failure_retryable = null,
        failure_detail = null
      from mine where j.track_id = mine.track_id and mine.state = 'leased' returning j.track_id
    ), track as (
      update tracks t
      set state = 'finished', duration_ms = ${finished.durationMs}, original_format = ${finished.family},
        media_prefix = ${finished.prefix}, media = ${JSON.stringify(finished.media)}, updated_at = now()
      from job where t.id = job.track_id and t.state = 'processing'
    ), kept as (
      delete from object_garbage where prefix = ${finished.prefix} and exists (select from job))
    select 1 from mine`);
  return settled.length > 0;
}

export interface Failure {
  reason: string;
  retryable: boolean;
  detail: string;
}

/** Goes again with backoff where that may help, else the track has failed. Repeated, it changes nothing and is true again. */
export async function failJob(
  db: Database,
  track: number,
  leaseToken: string,
  failure: Failure,
): Promise<boolean> {
  const settled = await db.execute(sql`
    with mine as (
      select track_id, state from encoding_jobs j
      where ${isAttempt(track, leaseToken)} and (${isAlive} or state in ('queued', 'failed')) for update
    ), job as (${settle(
      sql`track_id in (select track_id from mine where state = 'leased')`,
      failure,
      sql`${failure.retryable} and attempt < ${MAX_ATTEMPTS}`,
    )}), ${failTracks}
    select 1 from mine`);
  return settled.length > 0;
}

/** Of two crons that run at once, the second finds nothing to do while the first is at it. */
const aloneIn = (what: "requeue" | "dispatch"): SQL =>
  sql`(select pg_try_advisory_xact_lock(hashtext(${`encoding_jobs ${what}`})))`;

/** Leases that ran out: the transcoder died, or cannot be heard. What it still says is of a dead lease. */
export const requeueExpiredLeases = (db: Database) =>
  db.execute<{ track: number; state: string }>(sql`
    with job as (${settle(
      sql`${aloneIn("requeue")} and state = 'leased' and lease_until < now()`,
      { reason: "lost", retryable: true, detail: "no heartbeat" },
      sql`attempt < ${MAX_ATTEMPTS}`,
    )}), ${failTracks}
    select track_id::float8 as track, state from job`);

/** A message that the consumer could not deal with counts as an attempt, so that nothing goes round for ever. */
export const countDeadLetter = (db: Database, { track, generation }: JobPointerRow) =>
  db.execute<{ track: number; state: string }>(sql`
    with job as (
      update encoding_jobs
      set attempt = attempt + 1, state = case when attempt + 1 < ${MAX_ATTEMPTS} then 'queued' else 'failed' end,
        failure_reason = 'gave_up', failure_retryable = true,
        finished_at = case when attempt + 1 < ${MAX_ATTEMPTS} then null else now() end
      where track_id = ${track} and generation = ${generation} and state = 'queued' and attempt < ${MAX_ATTEMPTS}
      returning track_id, state
    ), ${failTracks}
    select track_id::float8 as track, state from job`);

const resendable: SQL = sql`make_interval(secs => ${RESEND_AFTER_S})`;

/** Queued jobs that are due and not on their way, marked as sent: never sent, or their message was lost. */
export const dispatchDueJobs = (db: Database, limit: number) =>
  markDispatched(
    db,
    sql`${aloneIn("dispatch")} and (dispatched_at is null or dispatched_at < now() - ${resendable})
      and (${isWaiting}) is not true`,
    limit,
  );

/** The jobs that have waited longest: there is room. */
export const wakeJobs = (db: Database, limit: number) => markDispatched(db, isWaiting, limit);

/** One that waits, where none was sent for so long that whoever should have woken it must be gone. */
export const wakeForgottenJob = (db: Database) =>
  markDispatched(
    db,
    sql`${isWaiting} and not exists (
      select from encoding_jobs where state = 'queued' and dispatched_at > now() - ${resendable})`,
    1,
  );

const markDispatched = (db: Database, which: SQL, limit: number) =>
  db.execute<JobPointerRow>(sql`
    update encoding_jobs set dispatched_at = clock_timestamp()
    where track_id in (
      select track_id from encoding_jobs where state = 'queued' and next_run_at <= now() and ${which}
      order by next_run_at limit ${limit} for update skip locked)
    returning track_id::float8 as track, generation`);

const settle = (which: SQL, { reason, retryable, detail }: Failure, again: SQL): SQL => sql`
  update encoding_jobs
  set state = case when ${again} then 'queued' else 'failed' end, next_run_at = now() + ${backoff}, dispatched_at = null,
    lease_token = case when lease_until > now() then lease_token end, lease_until = null,
    failure_reason = ${reason}, failure_retryable = ${retryable}, failure_detail = ${detail.slice(0, 500)},
    finished_at = case when ${again} then null else now() end
  where ${which} returning track_id, state`;

const failTracks: SQL = sql`track as (
  update tracks t set state = 'failed', updated_at = now()
  from job where t.id = job.track_id and job.state = 'failed' and t.state = 'processing')`;
