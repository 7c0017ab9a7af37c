import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { type JobPointerRow, lockCron } from "./jobs.ts";

/** Seconds before a job that was sent but never leased is sent again. */
const RESEND_AFTER_S = 60;

/** Matches queued jobs that found no transcoder free since they were last sent. They wait for a wake-up. */
const isWaiting: SQL = sql`lease_until >= dispatched_at`;

const resendable: SQL = sql`make_interval(secs => ${RESEND_AFTER_S})`;

/** Marks due jobs as sent and returns them: jobs never sent, or whose message was lost. */
export const dispatchDueJobs = (db: Database, limit: number) =>
  markDispatched(
    db,
    sql`${lockCron("dispatch")} and (dispatched_at is null or dispatched_at < now() - ${resendable})
      and (${isWaiting}) is not true`,
    limit,
  );

/** Marks the longest waiting jobs as sent, now that there is capacity. */
export const wakeJobs = (db: Database, limit: number) => markDispatched(db, isWaiting, limit);

/** Wakes one waiting job if none was sent for long. The transcoder that should have done so may be gone. */
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
