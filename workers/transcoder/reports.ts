import type { Failed, Finished, Heartbeat, Job } from "./contract.ts";
import { JobFailure, LeaseLost } from "./failures.ts";
import { backOff, discard, isTransient, send } from "./http-client.ts";
import { log } from "./logging.ts";

/** About 40 s in all. After that the lease expires and the job is retried. */
const MAX_TRIES = 10;

/** Milliseconds. A slower heartbeat is worth less than the next one. */
const HEARTBEAT_IDLE_MS = 10_000;

export interface Reporter {
  /** Resolves to the reason why the job must end, if any. Ignores transient errors. */
  heartbeat(state: Heartbeat): Promise<LeaseLost | JobFailure | undefined>;
  finished(result: Finished): Promise<void>;
  failed(result: Failed): Promise<void>;
}

/**
 * `signal` ends the retries. 409 and 410 mean a lost lease and throw `LeaseLost`. Other 4xx throw a
 * `JobFailure`, because a retry would get the same.
 */
export function createReporter(job: Job, signal: AbortSignal): Reporter {
  async function post(path: string, body: object, idleMs?: number): Promise<number> {
    const reply = await send(`${job.reportUrl}/${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${job.ticket}`, "Content-Type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
      signal,
      idleMs,
    });
    await discard(reply);
    const status = reply.statusCode ?? 0;
    if (status === 409 || status === 410) throw new LeaseLost(`${path} answered ${status}`);
    const isAccepted = status >= 200 && status < 300;
    if (!isAccepted && !isTransient(status))
      throw new JobFailure("report_refused", `${path} answered ${status}`);
    return status;
  }

  /** Repeats are harmless, because the Worker checks the lease before it writes. */
  async function insist(path: string, body: object): Promise<void> {
    for (let failures = 1; failures <= MAX_TRIES; failures++) {
      try {
        const status = await post(path, body);
        if (status >= 200 && status < 300) return;
        log("report_refused", { job: job.id, attempt: job.attempt, path, status });
      } catch (error) {
        signal.throwIfAborted();
        if (isFinal(error)) throw error;
        log("report_lost", { job: job.id, attempt: job.attempt, path, detail: String(error) });
      }
      if (failures < MAX_TRIES) await backOff(failures, signal);
    }
    log("report_given_up", { job: job.id, attempt: job.attempt, path });
  }

  return {
    async heartbeat(state) {
      try {
        await post("heartbeat", state, HEARTBEAT_IDLE_MS);
      } catch (error) {
        if (isFinal(error)) return error;
      }
      return undefined;
    },
    finished: (result) => insist("finished", result),
    failed: (result) => insist("failed", result),
  };
}

const isFinal = (error: unknown): error is LeaseLost | JobFailure =>
  error instanceof LeaseLost || error instanceof JobFailure;
