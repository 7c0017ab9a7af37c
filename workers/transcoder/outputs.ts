import { JobFailure, LeaseLost } from "./failures.ts";
import { backOff, discard, gatewayHeaders, isTransient, send } from "./http-client.ts";

/** About 16 s in all. */
const MAX_TRIES = 7;

const TOO_LARGE = 413;
const NO_SPACE = 507;

/** Stores one file of this attempt. Throws a `JobFailure` or `LeaseLost`. Repeating a PUT is harmless. */
export type Put = (name: string, contentType: string, body: Uint8Array) => Promise<void>;

export function createOutputs(
  job: { outputsUrl: string; ticket: string },
  signal: AbortSignal,
  onStored: () => void,
): Put {
  return async (name, contentType, body) => {
    for (let failures = 0; ; ) {
      const outcome = await putOnce(`${job.outputsUrl}/${name}`);
      if (outcome === "stored") return onStored();
      failures++;
      if (failures === MAX_TRIES) throw new JobFailure("output_unavailable", `${name}: ${outcome}`);
      await backOff(failures, signal);
    }

    async function putOnce(url: string): Promise<string> {
      let status: number;
      try {
        const headers = { ...gatewayHeaders(job), "Content-Type": contentType };
        const reply = await send(url, { method: "PUT", headers, body, signal });
        await discard(reply);
        status = reply.statusCode ?? 0;
      } catch (error) {
        signal.throwIfAborted();
        return String(error);
      }
      if (status >= 200 && status < 300) return "stored";
      if (status === 409 || status === 410) throw new LeaseLost(`${name} was answered ${status}`);
      if (status === TOO_LARGE) throw new JobFailure("oversized", `${name}: more than its source allows`);
      if (status === NO_SPACE) throw new JobFailure("no_space", `${name}: storage is full`);
      if (!isTransient(status))
        throw new JobFailure("output_unavailable", `${name}: storage answers ${status}`);
      return `storage answers ${status}`;
    }
  };
}

export interface TaskQueue {
  /** Waits for room, then starts the task. The wait slows down the encoders. */
  add(task: () => Promise<void>): Promise<void>;
  /** Number of consecutive tasks, from the first, that have ended. */
  ready(): number;
  finish(): Promise<void>;
}

/** Starts tasks in order, up to `width` at a time, and stops at the first failure. */
export function createTaskQueue(width: number): TaskQueue {
  const pending = new Set<Promise<void>>();
  const ended = new Set<number>();
  let next = 0;
  let ready = 0;
  let failure: { error: unknown } | undefined;

  async function run(index: number, task: () => Promise<void>): Promise<void> {
    try {
      await task();
      ended.add(index);
      while (ended.delete(ready)) ready++;
    } catch (error) {
      failure ??= { error };
    }
  }

  function rethrow(): void {
    if (failure) throw failure.error;
  }

  return {
    async add(task) {
      while (pending.size >= width) await Promise.race(pending);
      rethrow();
      const running = run(next++, task).then(() => void pending.delete(running));
      pending.add(running);
    },
    ready: () => ready,
    async finish() {
      await Promise.all(pending);
      rethrow();
    },
  };
}
