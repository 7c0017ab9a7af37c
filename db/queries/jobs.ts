import { and, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import type { Chapter } from "../schema/podcasts.ts";
import { encodingJobs, tracks } from "../schema/tracks.ts";
import { objectGarbage } from "../schema/uploads.ts";
import { firstRow } from "./caller.ts";
import { dueAfterStoring } from "./garbage.ts";
import type { Media } from "./media.ts";

/** Attempts before an encode is given up. */
const MAX_ATTEMPTS = 5;

/** Seconds of a lease without a heartbeat. The transcoder sends one at the start and every 15. */
export const LEASE_S = 60;

export interface JobPointerRow {
  track: number;
  generation: number;
}

export const inSeconds = (seconds: number): SQL => sql`now() + make_interval(secs => ${seconds})`;

/** Matches the job while this attempt leases it. An expired lease is dead even before another attempt takes the job. */
const holdsLease = (track: number, leaseToken: string) =>
  and(
    eq(encodingJobs.trackId, track),
    eq(encodingJobs.leaseToken, leaseToken),
    eq(encodingJobs.state, "leased"),
    gt(encodingJobs.leaseUntil, sql`now()`),
  );

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
 * Permits a write and returns the source's size in bytes; null if the lease is lost. From the first write the prefix is
 * garbage, unless the attempt finishes.
 */
export async function admitWrite(db: Database, track: number, leaseToken: string, prefix: string) {
  const isHeld = holdsLease(track, leaseToken);
  const [job] = await db.read((on) =>
    on
      .select({
        bytes: tracks.originalContentSize,
        isNoted: sql<boolean>`exists (select from ${objectGarbage} where ${objectGarbage.prefix} = ${prefix})`,
      })
      .from(encodingJobs)
      .innerJoin(tracks, eq(tracks.id, encodingJobs.trackId))
      .where(isHeld),
  );
  if (!job || job.isNoted) return job?.bytes ?? null;
  const [noted] = await db.write((on) =>
    notePrefix(on, isHeld, prefix).returning({ prefix: objectGarbage.prefix }),
  );
  return noted ? job.bytes : null;
}

const notePrefix = (on: Database["drizzle"], isHeld: SQL | undefined, prefix: string) =>
  on
    .insert(objectGarbage)
    .select(
      on
        .select({
          prefix: sql`${prefix}`.as("prefix"),
          bucket: sql`'media'`.as("bucket"),
          dueAt: sql`${dueAfterStoring}`.as("due_at"),
          closed: sql`false`.as("closed"),
        })
        .from(encodingJobs)
        .where(isHeld)
        // Waits for the job's end, or the media of a finished track would be listed for good.
        .for("key share"),
    )
    .onConflictDoUpdate({ target: objectGarbage.prefix, set: { prefix } });

/** Lists a picture as garbage before it is stored, and returns the track's owner. `undefined` if the lease is lost. */
export async function admitPicture(db: Database, track: number, leaseToken: string, prefix: string) {
  const [noted] = await db.write((on) =>
    notePrefix(on, holdsLease(track, leaseToken), prefix).returning({
      owner: sql<string>`(select ${tracks.userId}::text from ${tracks} where ${tracks.id} = ${track})`,
    }),
  );
  return noted?.owner;
}

/** Caps reported progress. A source read to its end is not yet encoded; only `finished` means 1. */
const MAX_PROGRESS = 0.999;

/** Progress of an attempt. */
interface Stored {
  progress: number;
  segmentsReady: number;
  sampleRate: number;
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

interface Finished {
  durationMs: number;
  family: string;
  prefix: string;
  media: Media;
  /** Number of segments in each AAC rendition. */
  segments: number;
  /** Those that the file brought along. */
  chapters: Chapter[] | null;
}

/** Finishes job and track and keeps the media, if the lease is held. Repeating it changes nothing and returns true. */
export const finishJob = (db: Database, track: number, leaseToken: string, finished: Finished) =>
  db.call("finish_job", () => z.boolean(), {
    track,
    lease: leaseToken,
    duration_ms: finished.durationMs,
    format: finished.family,
    prefix: finished.prefix,
    media: finished.media,
    segments: finished.segments,
    chapters: finished.chapters && JSON.stringify(finished.chapters),
  });

interface Failure {
  reason: string;
  retryable: boolean;
  detail: string;
}

/** Retries with backoff if that may help, else fails the track. Repeating it changes nothing and returns true. */
export async function failJob(db: Database, track: number, leaseToken: string, failure: Failure) {
  const detail = failure.detail.slice(0, 500);
  const settled = await settleFailures(db, holdsLease(track, leaseToken), { ...failure, detail });
  if (settled.length > 0) return true;
  const hasEnded = and(
    eq(encodingJobs.trackId, track),
    eq(encodingJobs.leaseToken, leaseToken),
    inArray(encodingJobs.state, ["queued", "failed"]),
  );
  const ended = await db.read((on) =>
    on.select({ track: encodingJobs.trackId }).from(encodingJobs).where(hasEnded),
  );
  return ended.length > 0;
}

const SettledJob = () => z.strictObject({ track: z.number(), state: z.enum(["queued", "failed"]) });

/** Queues failed jobs again if that may help, else fails their tracks. Locks the jobs before it looks at them. */
const settleFailures = (db: Database, areFailed: SQL | undefined, { reason, retryable, detail }: Failure) => {
  const failed = db.drizzle.select({ track: encodingJobs.trackId }).from(encodingJobs).where(areFailed);
  const locked = sql`array(${failed.for("update")})`;
  return db.call("settle_failures", () => z.array(SettledJob()), {
    tracks: locked,
    reason,
    retryable,
    detail,
    attempts: MAX_ATTEMPTS,
  });
};

/** Matches jobs whose lease expired. A second cron matches none, because the first does the work. */
const hasLostLease = and(
  sql`(select pg_try_advisory_xact_lock(hashtext('encoding_jobs requeue')))`,
  eq(encodingJobs.state, "leased"),
  lt(encodingJobs.leaseUntil, sql`now()`),
);

/** Requeues jobs whose lease expired because the transcoder died or is unreachable. Its later reports are ignored. */
export const requeueExpiredLeases = (db: Database) =>
  settleFailures(db, hasLostLease, { reason: "lost", retryable: true, detail: "no heartbeat" });

/** Counts a message that the consumer could not process as an attempt, so that no message circulates forever. */
export const countDeadLetter = (db: Database, { track, generation }: JobPointerRow) =>
  db.write((on) => {
    const isLast = sql`${encodingJobs.attempt} + 1 >= ${MAX_ATTEMPTS}`;
    const job = on.$with("job").as(
      on
        .update(encodingJobs)
        .set({
          attempt: sql`${encodingJobs.attempt} + 1`,
          state: sql`case when ${isLast} then 'failed' else 'queued' end`,
          failureReason: "gave_up",
          failureRetryable: true,
          finishedAt: sql`case when ${isLast} then now() end`,
        })
        .where(
          and(
            eq(encodingJobs.trackId, track),
            eq(encodingJobs.generation, generation),
            eq(encodingJobs.state, "queued"),
            lt(encodingJobs.attempt, MAX_ATTEMPTS),
          ),
        )
        .returning({ track: encodingJobs.trackId, state: encodingJobs.state }),
    );
    return on
      .with(job)
      .update(tracks)
      .set({ state: "failed", updatedAt: sql`now()` })
      .from(job)
      .where(and(eq(tracks.id, job.track), eq(job.state, "failed"), eq(tracks.state, "processing")));
  });
