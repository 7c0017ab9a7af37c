import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { encodingJobs, tracks } from "../schema/tracks.ts";
import { firstRow } from "./caller.ts";
import type { Media } from "./media.ts";

/** Attempts before an encode is given up. */
const MAX_ATTEMPTS = 5;

/** Seconds of a lease without a heartbeat. The transcoder sends one at the start and every 15. */
export const LEASE_S = 60;

export interface JobPointerRow {
  track: number;
  generation: number;
}

/** 5 s, 20 s, 80 s and so on, plus up to a fifth at random. Jitter separates jobs that failed together. */
const backoff: SQL = sql`make_interval(secs => 5 * 4 ^ (greatest(attempt, 1) - 1) * (1 + random() / 5))`;

export const inSeconds = (seconds: number): SQL => sql`now() + make_interval(secs => ${seconds})`;

/** Matches the job while this attempt leases it. */
const isLeased = (track: number, leaseToken: string) =>
  and(
    eq(encodingJobs.trackId, track),
    eq(encodingJobs.leaseToken, leaseToken),
    eq(encodingJobs.state, "leased"),
  );

const isAttempt = (track: number, leaseToken: string): SQL =>
  sql`j.track_id = ${track} and j.lease_token = ${leaseToken}`;

/** An expired lease is dead even before another attempt takes the job. */
const isAlive: SQL = sql`j.state = 'leased' and j.lease_until > now()`;

const holdsLease = (track: number, leaseToken: string) =>
  and(isLeased(track, leaseToken), gt(encodingJobs.leaseUntil, sql`now()`));

/** Finds the original of a job, if the lease is held. */
export const findOriginal = (db: Database, track: number, leaseToken: string) =>
  db
    .read((on) =>
      on
        .select({ key: tracks.originalKey, size: tracks.originalContentSize })
        .from(encodingJobs)
        .innerJoin(tracks, eq(tracks.id, encodingJobs.trackId))
        .where(holdsLease(track, leaseToken)),
    )
    .then(firstRow);

/**
 * Permits a write and returns the source's size; `undefined` if the lease is lost. From the first write the prefix is
 * garbage, unless the attempt finishes.
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

/** Caps reported progress. A source read to its end is not yet encoded; only `finished` means 1. */
const MAX_PROGRESS = 0.999;

/** Progress of an attempt. Without `sampleRate`, its segments cannot be played yet. */
interface Stored {
  progress: number;
  segmentsReady: number;
  sampleRate: number | undefined;
}

/** False if this attempt has lost the lease. */
export async function heartbeat(
  db: Database,
  track: number,
  leaseToken: string,
  { progress, segmentsReady, sampleRate }: Stored,
): Promise<boolean> {
  const most = Math.min(progress, MAX_PROGRESS);
  const renewed = await db.write((on) =>
    on
      .update(encodingJobs)
      .set({
        leaseUntil: inSeconds(LEASE_S),
        progress: sql`greatest(${encodingJobs.progress}, ${most})`,
        segmentsReady: sql`greatest(${encodingJobs.segmentsReady}, ${segmentsReady})`,
        sampleRate,
      })
      .where(holdsLease(track, leaseToken))
      .returning({ track: encodingJobs.trackId }),
  );
  return renewed.length > 0;
}

export interface Finished {
  durationMs: number;
  family: string;
  prefix: string;
  media: Media;
  /** Number of segments in each AAC rendition. */
  segments: number;
}

/** Finishes job and track and keeps the media, if the lease is held. Repeating it changes nothing and returns true. */
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
      set state = 'done', progress = 1, segments_ready = ${finished.segments}, finished_at = now(), failure_reason = null, failure_retryable = null,
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

/** Retries with backoff if that may help, else fails the track. Repeating it changes nothing and returns true. */
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

/** Locks out a second cron, which then finds nothing to do. */
export const lockCron = (what: "requeue" | "dispatch"): SQL =>
  sql`(select pg_try_advisory_xact_lock(hashtext(${`encoding_jobs ${what}`})))`;

/** Requeues jobs whose lease expired because the transcoder died or is unreachable. Its later reports are ignored. */
export const requeueExpiredLeases = (db: Database) =>
  db.execute<{ track: number; state: string }>(sql`
    with job as (${settle(
      sql`${lockCron("requeue")} and state = 'leased' and lease_until < now()`,
      { reason: "lost", retryable: true, detail: "no heartbeat" },
      sql`attempt < ${MAX_ATTEMPTS}`,
    )}), ${failTracks}
    select track_id::float8 as track, state from job`);

/** Counts a message that the consumer could not process as an attempt, so that no message circulates forever. */
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
