export interface RetryOptions {
  /** Attempts in total. 1 disables retries. */
  attempts: number;
  /** Milliseconds. A longer `Retry-After` is an error at once. */
  maxWaitMs: number;
}

export const RETRIES: RetryOptions = { attempts: 5, maxWaitMs: 60_000 };

/** Milliseconds before the second attempt. Each further wait is twice as long. */
const FIRST_WAIT_MS = 300;

/** Nothing was done, so even a request without a key may be retried. */
const NOT_DONE = [429, 503];
const UNCERTAIN = [502, 504];

/** Milliseconds of `Retry-After`, in seconds or as a date. */
export function retryAfterMs(headers: Headers): number | undefined {
  const asked = headers.get("Retry-After");
  if (!asked) return undefined;
  const seconds = Number(asked);
  const ms = Number.isNaN(seconds) ? Date.parse(asked) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** 409 with `Retry-After`: the first request with this key is still running. */
const isPassing = ({ status, headers }: Response, repeatable: boolean) =>
  NOT_DONE.includes(status) ||
  (repeatable && (UNCERTAIN.includes(status) || (status === 409 && headers.has("Retry-After"))));

/** Milliseconds to wait before another attempt; `undefined` gives up. Without a `reply` the connection failed. */
export function waitBefore(
  attempt: number,
  reply: Response | undefined,
  repeatable: boolean,
  { attempts, maxWaitMs }: RetryOptions,
): number | undefined {
  if (attempt >= attempts || !(reply ? isPassing(reply, repeatable) : repeatable)) return undefined;
  const asked = reply && retryAfterMs(reply.headers);
  const wait = asked ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  return wait <= maxWaitMs ? wait : undefined;
}

export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
