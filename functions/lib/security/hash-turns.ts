import { HttpError } from "../errors/http-error.ts";

/** Milliseconds per turn. A hash blocks the isolate for 140; the rest is left to other requests. */
const BETWEEN_MS = 200;

/** Milliseconds. A longer wait is refused: clients and proxies give up at 30 s. */
const MOST_WAIT_MS = 15_000;

/** Milliseconds after a hash for other requests, however long the hash took. */
const REST_MS = 60;

/** Turns depend on the clock, so a client that leaves the queue delays nobody. */
let nextAt = 0;
let restsUntil = 0;

const sleep = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

/** Milliseconds of the longest wait that are reserved for requests whose attempt is already counted. */
const RESERVED_MS = 1_000;

export const refuseLongQueue = (): void => refuseLongWait(nextAt - Date.now(), MOST_WAIT_MS - RESERVED_MS);

function refuseLongWait(waitMs: number, mostMs: number): void {
  if (waitMs > mostMs)
    throw new HttpError(429, ["Too many people are signing in at the moment. Try again soon."], {
      "Retry-After": String(Math.ceil(waitMs / 1000)),
    });
}

/** Waits for the next turn to hash a password. Up to two in a row start at once. */
export async function hashTurn(): Promise<void> {
  const now = Date.now();
  const at = Math.max(now - BETWEEN_MS, nextAt);
  const waitMs = at - now;
  refuseLongWait(waitMs, MOST_WAIT_MS);
  nextAt = at + BETWEEN_MS;
  if (waitMs > 0) await sleep(waitMs);
  // On a slow machine the previous turn may have just ended.
  for (let restMs = restsUntil - Date.now(); restMs > 0; restMs = restsUntil - Date.now())
    await sleep(restMs);
  endHashTurn();
}

export function endHashTurn(): void {
  restsUntil = Date.now() + REST_MS;
}
