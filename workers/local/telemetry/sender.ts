import { setTimeout as sleep } from "node:timers/promises";

/** Records of one request, and records that wait at most; further ones are dropped. */
const BATCH = 500;
const MOST_WAITING = 10_000;
/** Milliseconds for which records are gathered, that a collector may take, and that a stop waits for it. */
const GATHER_MS = 1_000;
const TIMEOUT_MS = 10_000;
const LAST_TIMEOUT_MS = 2_000;
/** Milliseconds before the next attempt, twice as long each time. */
const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [1_000, 60_000];

/** Statuses after which OTLP sends the same again. */
const RETRIED = new Set([429, 502, 503, 504]);

interface SenderOptions<Kind> {
  /** Such as `log lines`, for messages. */
  name: string;
  url: string;
  headers: Record<string, string>;
  pack: (records: Kind[]) => object;
  log: (line: string) => void;
  /** Told how many were dropped, once the collector takes records again. */
  dropped?: (count: number) => void;
  gatherMs?: number;
}

/** Sends records in batches. Whoever adds one never waits, and a collector that is away costs no more than memory for some. */
export function openSender<Kind>(options: SenderOptions<Kind>) {
  const { name, url, headers, pack, log, gatherMs = GATHER_MS } = options;
  const waiting: Kind[] = [];
  const stopping = new AbortController();
  const { host } = new URL(url);
  let drops = 0;
  let retryMs = 0;

  const add = (record: Kind) => {
    if (waiting.length < MOST_WAITING) waiting.push(record);
    else drops += 1;
  };

  /** Returns the reason if the collector did not take them. */
  async function post(
    records: Kind[],
    timeoutMs: number,
  ): Promise<{ reason: string; again: boolean } | undefined> {
    try {
      const reply = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify(pack(records)),
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      await reply.body?.cancel();
      return reply.ok ? undefined : { reason: `answers ${reply.status}`, again: RETRIED.has(reply.status) };
    } catch {
      return { reason: "does not answer", again: true };
    }
  }

  function fail(reason: string): void {
    if (!retryMs) log(`The collector at ${host} ${reason}; ${name} wait, and some may be lost`);
    retryMs = Math.min(Math.max(FIRST_RETRY_MS, retryMs * 2), LONGEST_RETRY_MS);
  }

  function succeed(): void {
    if (retryMs) log(`The collector at ${host} takes ${name} again; ${drops} were lost`);
    retryMs = 0;
    if (drops) options.dropped?.(drops);
    drops = 0;
  }

  async function sendWaiting(timeoutMs = TIMEOUT_MS): Promise<void> {
    while (waiting.length) {
      const batch = waiting.slice(0, BATCH);
      const failure = await post(batch, timeoutMs);
      if (failure?.again) return fail(failure.reason);
      waiting.splice(0, batch.length);
      if (!failure) succeed();
      else {
        drops += batch.length;
        fail(failure.reason);
      }
    }
  }

  async function keepSending(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(retryMs || gatherMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await sendWaiting();
    }
  }
  const sending = keepSending();

  return {
    add,
    /** Sends what waits, once. */
    async stop(): Promise<void> {
      stopping.abort();
      await sending;
      await sendWaiting(LAST_TIMEOUT_MS);
    },
  };
}
