import type { Context } from "hono";
import type { JobPointer, UserEnv } from "../../lib/http/env.ts";
import { describeError, logLine } from "../../lib/http/log.ts";

/** Sends a job to the queue, after the reply. The reconciling cron recovers a lost message. */
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
