import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { aloneIn, type JobPointerRow } from "./jobs.ts";

/** Seconds after which a job that was sent to the queue, and never leased, is sent again. */
const RESEND_AFTER_S = 60;

/** A queued job that was offered since it was last sent found no room. It waits to be woken. */
const isWaiting: SQL = sql`lease_until >= dispatched_at`;

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
