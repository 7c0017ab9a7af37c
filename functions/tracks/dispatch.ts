import type { Context } from "hono";
import type { JobPointer, UserEnv } from "../http/env.ts";
import { describeError, logLine } from "../http/log.ts";

/** Tells the queue of a job, after the reply. A lost message is found again by the reconciling cron. */
export function dispatch(c: Context<UserEnv>, job: JobPointer): void {
  c.executionCtx.waitUntil(
    c.env.JOBS.send(job).catch((error: unknown) =>
      logLine("warn", "job_send_failed", {
        request_id: c.var.requestId,
        track: job.track,
        ...describeError(error),
      }),
    ),
  );
}
