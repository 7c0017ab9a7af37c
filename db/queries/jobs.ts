import { and, eq, gt, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { encodingJobs, tracks } from "../schema/tracks.ts";
import { only } from "./caller.ts";
import type { Media } from "./media.ts";

/** An encode that failed this often is given up. */
const MAX_ATTEMPTS = 5;

/** Seconds that a lease lasts without a heartbeat; the transcoder sends one every 15. */
const LEASE_S = 60;

/** Seconds of the first lease: longer than a container may take to start, or the cron would take the job away meanwhile. */
const OFFER_LEASE_S = 90;

/** Seconds until a job is offered again that no transcoder heard of. */
const UNREACHABLE_DELAY_S = 10;

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
  const leased = await db.write((on) =>
    on
      .update(encodingJobs)
      .set({
        state: "leased",
        attempt: sql`${encodingJobs.attempt} + 1`,
        leaseToken,
        progress: 0,
        segmentsReady: 0,
        leaseUntil: inSeconds(OFFER_LEASE_S),
        startedAt: sql`coalesce(${encodingJobs.startedAt}, now())`,
      })
      .from(tracks)
      .where(
        and(
          eq(encodingJobs.trackId, track),
          eq(tracks.id, encodingJobs.trackId),
          eq(encodingJobs.generation, generation),
          eq(encodingJobs.state, "queued"),
          lte(encodingJobs.nextRunAt, sql`now()`),
          lt(encodingJobs.attempt, MAX_ATTEMPTS),
        ),
      )
      .returning({
        attempt: encodingJobs.attempt,
        original_key: tracks.originalKey,
        original_content_size: tracks.originalContentSize,
      }),
  );
  return only(leased);
}

const inSeconds = (seconds: number): SQL => sql`now() + make_interval(secs => ${seconds})`;

/** The job, where this attempt has it. */
const isLeased = (track: number, leaseToken: string) =>
  and(
    eq(encodingJobs.trackId, track),
    eq(encodingJobs.leaseToken, leaseToken),
    eq(encodingJobs.state, "leased"),
  );

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
  db.write((on) =>
    on
      .update(encodingJobs)
      .set({
        state: "queued",
        attempt: sql`${encodingJobs.attempt} - 1`,
        leaseToken: null,
        leaseUntil: null,
        dispatchedAt: null,
        nextRunAt: inSeconds(UNREACHABLE_DELAY_S),
      })
      .where(isLeased(track, leaseToken)),
  );

const isAttempt = (track: number, leaseToken: string): SQL =>
  sql`j.track_id = ${track} and j.lease_token = ${leaseToken}`;

/** One that ran out is dead, though nobody has taken the job yet. */
const isAlive: SQL = sql`j.state = 'leased' and j.lease_until > now()`;

const isHeld = (track: number, leaseToken: string) =>
  and(isLeased(track, leaseToken), gt(encodingJobs.leaseUntil, sql`now()`));

/** The uploaded file of a job, for whoever holds its lease. */
export const findOriginal = (db: Database, track: number, leaseToken: string) =>
  db
    .read((on) =>
      on
        .select({ key: tracks.originalKey, size: tracks.originalContentSize })
        .from(encodingJobs)
        .innerJoin(tracks, eq(tracks.id, encodingJobs.trackId))
        .where(isHeld(track, leaseToken)),
    )
    .then(only);

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
  const most = Math.min(progress, MOST_PROGRESS);
  const held = await db.write((on) =>
    on
      .update(encodingJobs)
      .set({
        leaseUntil: inSeconds(LEASE_S),
        progress: sql`greatest(${encodingJobs.progress}, ${most})`,
        segmentsReady: sql`greatest(${encodingJobs.segmentsReady}, ${segmentsReady})`,
      })
      .where(isHeld(track, leaseToken))
      .returning({ track: encodingJobs.trackId }),
  );
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
export const aloneIn = (what: "requeue" | "dispatch"): SQL =>
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
