import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { type Failed, type Finished, type Heartbeat, type Job, parseJob } from "./contract.ts";
import { JobFailure, LeaseLost } from "./failures.ts";
import { backOff, discard, gatewayHeaders, isTransient, send } from "./http-client.ts";
import { log } from "./logging.ts";

/** About 40 s in all. After that the lease expires and the job is retried. */
const MAX_TRIES = 10;

/** Milliseconds. A slower heartbeat is worth less than the next one. */
const HEARTBEAT_IDLE_MS = 10_000;

export interface Reporter {
  /** Resolves to the reason why the job must end, if any. Ignores transient errors. */
  heartbeat(state: Heartbeat): Promise<LeaseLost | JobFailure | undefined>;
  /** Resolve to the job that takes the free place, if the Worker has one. */
  finished(result: Finished): Promise<Job | undefined>;
  failed(result: Failed): Promise<Job | undefined>;
}

/**
 * `signal` ends the retries. `wantsNext` asks for another job with a verdict. 409 and 410 mean a lost lease and throw `LeaseLost`. Other 4xx throw a
 * `JobFailure`, because a retry would get the same.
 */
export function createReporter(job: Job, signal: AbortSignal, wantsNext: () => boolean): Reporter {
  async function post(path: string, body: object, idleMs?: number): Promise<IncomingMessage> {
    const reply = await send(`${job.reportUrl}/${path}`, {
      method: "POST",
      headers: { ...gatewayHeaders(job), "Content-Type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
      signal,
      idleMs,
    });
    const status = reply.statusCode ?? 0;
    if (isSuccess(status)) return reply;
    await discard(reply);
    if (status === 409 || status === 410) throw new LeaseLost(`${path} answered ${status}`);
    if (!isTransient(status)) throw new JobFailure("report_refused", `${path} answered ${status}`);
    throw new Error(`${path} answered ${status}`);
  }

  /** Repeats are harmless, because the Worker checks the lease before it writes. */
  async function insist(path: string, body: object): Promise<Job | undefined> {
    for (let failures = 1; failures <= MAX_TRIES; failures++) {
      try {
        return readNext(await json(await post(path, { ...body, next: wantsNext() })));
      } catch (error) {
        signal.throwIfAborted();
        if (isFinal(error)) throw error;
        log("report_lost", { job: job.id, attempt: job.attempt, path, detail: String(error) });
      }
      if (failures < MAX_TRIES) await backOff(failures, signal);
    }
    log("report_given_up", { job: job.id, attempt: job.attempt, path });
    return undefined;
  }

  return {
    async heartbeat(state) {
      try {
        await discard(await post("heartbeat", state, HEARTBEAT_IDLE_MS));
      } catch (error) {
        if (isFinal(error)) return error;
      }
      return undefined;
    },
    finished: (result) => insist("finished", result),
    failed: (result) => insist("failed", result),
  };
}

const isSuccess = (status: number) => status >= 200 && status < 300;

function readNext(reply: unknown): Job | undefined {
  const { next } = (typeof reply === "object" && reply !== null ? reply : {}) as { next?: unknown };
  const job = next === undefined ? undefined : parseJob(next);
  return job && !("wrong" in job) ? job : undefined;
}

const isFinal = (error: unknown): error is LeaseLost | JobFailure =>
  error instanceof LeaseLost || error instanceof JobFailure;
