import type { Database } from "../db/client.ts";
import { wakeJobs } from "../db/queries/job-dispatch.ts";
import type { Env } from "../functions/http/env.ts";
import { describeError, logLine } from "../functions/http/log.ts";

/** Sends the longest-waiting job when a transcoder may have room. The cron finds lost messages. */
export async function wakeNext(db: Database, env: Pick<Env, "JOBS">): Promise<void> {
  try {
    const [next] = await wakeJobs(db, 1);
    if (next) await env.JOBS.send(next);
  } catch (error) {
    logLine("warn", "wake_failed", describeError(error));
  }
}
