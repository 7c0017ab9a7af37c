import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";

const ServiceState = () =>
  z.strictObject({
    jobs_waiting: z.number(),
    job_waits_s: z.number(),
    jobs_running: z.number(),
    job_runs_s: z.number(),
    /** Leased, but silent for longer than the lease. */
    jobs_lost: z.number(),
    deliveries_due: z.number(),
    delivery_waits_s: z.number(),
    posts_due: z.number(),
    post_waits_s: z.number(),
    mails_due: z.number(),
    mail_waits_s: z.number(),
    /** Given up. They wait for an operator. */
    mails_failed: z.number(),
    garbage_due: z.number(),
    garbage_waits_s: z.number(),
    /** Messages that no consumer could process. */
    dead_letters: z.number(),
    reports_open: z.number(),
    uploads_open: z.number(),
    /** Seen within five minutes. */
    transcoders: z.number(),
    database_bytes: z.number(),
  });

/** Counts of what waits or runs, and the age of the oldest in seconds; zero if there is none. */
export type ServiceState = ReplyOf<typeof ServiceState>;

export const readServiceState = (db: Database): Promise<ServiceState> =>
  db.call("service_state", ServiceState, {});
