import { and, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { encodingJobs, transcoders } from "../schema/tracks.ts";
import type { ReplyOf } from "../shape.ts";
import { inSeconds, type JobPointerRow, LEASE_S } from "./jobs.ts";

/** A leased job, to hand to the transcoder that holds the lease. */
export const OfferedJob = () =>
  z.strictObject({
    track: z.number(),
    attempt: z.number(),
    lease: z.string(),
    transcoder: z.string(),
    source_bytes: z.number(),
    traceparent: z.string().nullable(),
  });
export type OfferedJob = ReplyOf<typeof OfferedJob>;

/** `slots` and `is_warm` are the last known state of the transcoder. */
export const PoolOffer = () => OfferedJob().extend({ slots: z.number(), is_warm: z.boolean() });
export type PoolOffer = ReplyOf<typeof PoolOffer>;

/** Leases waiting jobs to transcoders with room, one for each given lease at most. Null `pointers` mean any jobs. */
export const leaseJobs = (
  db: Database,
  poolSize: number,
  leases: string[],
  pointers: JobPointerRow[] | null,
): Promise<PoolOffer[]> =>
  db.call("lease_jobs", () => z.array(PoolOffer()), {
    jobs: pointers && JSON.stringify(pointers),
    leases,
    transcoders: poolSize,
    lease_s: LEASE_S,
  });

/** Leases the next job to a transcoder whose job has ended. Repeated with the same lease, it returns the same job. */
export const handOverJob = (db: Database, poolSize: number, lease: string, transcoder: string) =>
  db.call(
    "hand_over_job",
    () => OfferedJob().nullable(),
    { lease, transcoder, transcoders: poolSize, lease_s: LEASE_S },
    "repeatable",
  );

/** Returns a job to the queue because its transcoder did not take it; no attempt counts. Empty if the lease was lost. */
export const releaseJob = (db: Database, track: number, leaseToken: string): Promise<JobPointerRow[]> =>
  db.write((on) =>
    on
      .update(encodingJobs)
      .set({
        state: "queued",
        attempt: sql`${encodingJobs.attempt} - 1`,
        leaseToken: null,
        leaseUntil: null,
        dispatchedAt: null,
      })
      .where(
        and(
          eq(encodingJobs.trackId, track),
          eq(encodingJobs.leaseToken, leaseToken),
          eq(encodingJobs.state, "leased"),
        ),
      )
      .returning({ track: encodingJobs.trackId, generation: encodingJobs.generation }),
  );

/** Notes that a transcoder answers, and its slots if they are known. */
export const noteTranscoder = (db: Database, name: string, slots?: number) =>
  saveTranscoder(db, name, { slots, seenAt: sql`now()`, restsUntil: null, isStarting: false });

/** Keeps jobs from a transcoder for a while, because it is busy or does not answer. */
export const restTranscoder = (db: Database, name: string, seconds: number) =>
  saveTranscoder(db, name, { restsUntil: inSeconds(seconds), isStarting: false });

/** Seconds. An offer is answered within them. */
const OFFER_S = 5;

/** Keeps jobs from a transcoder while it starts. False if the transcoder has answered since, so it is already up. */
export const awaitStart = (db: Database, name: string, seconds: number): Promise<boolean> =>
  saveTranscoder(
    db,
    name,
    { restsUntil: inSeconds(seconds), isStarting: true },
    sql`(${transcoders.seenAt} > now() - make_interval(secs => ${OFFER_S})) is not true`,
  );

/** Notes that a transcoder stopped, so that others are preferred. */
export const noteStopped = (db: Database, name: string) => saveTranscoder(db, name, { seenAt: null });

/** Ends the leases of a transcoder that stopped, so that nobody waits for its heartbeats. */
export const endLeasesOf = (db: Database, name: string) =>
  db.write((on) =>
    on
      .update(encodingJobs)
      // Not `now()`: a last heartbeat that began a moment before would take the lease for a live one and renew it.
      .set({ leaseUntil: sql`'-infinity'` })
      .where(
        and(
          eq(encodingJobs.transcoder, name),
          eq(encodingJobs.state, "leased"),
          gt(encodingJobs.leaseUntil, sql`now()`),
        ),
      ),
  );

/** Lists the jobs that wait for another attempt, with the seconds until each is due. */
export const listRetries = (db: Database, tracks: number[]) =>
  db.read((on) =>
    on
      .select({
        track: encodingJobs.trackId,
        generation: encodingJobs.generation,
        dueInS: sql<number>`ceil(greatest(0, extract(epoch from ${encodingJobs.nextRunAt} - now())))::float8`,
      })
      .from(encodingJobs)
      .where(
        and(
          inArray(encodingJobs.trackId, tracks),
          eq(encodingJobs.state, "queued"),
          sql`isfinite(${encodingJobs.nextRunAt})`,
        ),
      ),
  );

interface Changes {
  slots?: number | undefined;
  seenAt?: SQL | null;
  restsUntil?: SQL | null;
  isStarting?: boolean;
}

async function saveTranscoder(
  db: Database,
  name: string,
  { slots, ...others }: Changes,
  setWhere?: SQL,
): Promise<boolean> {
  const set = { ...others, ...(slots !== undefined && { slots }) };
  const saved = await db.write((on) =>
    on
      .insert(transcoders)
      .values({ name, slots: 1, ...set })
      .onConflictDoUpdate({ target: transcoders.name, set, ...(setWhere && { setWhere }) })
      .returning({ name: transcoders.name }),
  );
  return saved.length > 0;
}

/** Seconds before a job that was sent but not leased is sent again, if there is room for it. */
const RESEND_AFTER_S = 15;

/** Matches jobs to send. A second cron matches none. */
const isDue = and(
  sql`(select pg_try_advisory_xact_lock(hashtext('encoding_jobs dispatch')))`,
  eq(encodingJobs.state, "queued"),
  lte(encodingJobs.nextRunAt, sql`now()`),
  sql`(${encodingJobs.dispatchedAt} < now() - make_interval(secs => ${RESEND_AFTER_S})) is not false`,
);

/** Marks due jobs as sent, as many as there is room for. Without room they wait, and the end of another job finds them. */
export const dispatchDueJobs = (db: Database, poolSize: number, limit: number): Promise<JobPointerRow[]> =>
  db.write((on) =>
    on
      .update(encodingJobs)
      .set({ dispatchedAt: sql`clock_timestamp()` })
      .where(
        sql`${encodingJobs.trackId} in (
          select ${encodingJobs.trackId} from ${encodingJobs} where ${isDue} order by ${encodingJobs.turn}
          limit least(${limit}, (select coalesce(sum(greatest(room, 0)), 0) from pool_room(${poolSize})))
          for update skip locked)`,
      )
      .returning({ track: encodingJobs.trackId, generation: encodingJobs.generation }),
  );
