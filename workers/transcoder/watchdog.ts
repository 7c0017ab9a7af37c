import { JobFailure } from "./failures.ts";

const STALL_MS = Number(process.env.STALL_MS ?? 60_000);

/** Encoding runs far faster than playing. Half the speed of playing, and a minute to begin with, is a machine in trouble. */
const GRACE_MS = Number(process.env.GRACE_MS ?? 60_000);
const SLOWEST = 2;

const CHECK_MS = 1_000;

export interface Watchdog {
  /** Something happened: bytes read, decoded or stored. */
  moved(): void;
  stop(): void;
}

/** The deadline grows with what has been decoded: no header is believed about how long the track is. */
export function startWatchdog(decodedSeconds: () => number, fail: (failure: JobFailure) => void): Watchdog {
  const startedAt = performance.now();
  let movedAt = startedAt;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - movedAt > STALL_MS) fail(new JobFailure("stalled", `nothing moved for ${STALL_MS} ms`));
    const allowedMs = GRACE_MS + SLOWEST * decodedSeconds() * 1000;
    if (now - startedAt > allowedMs)
      fail(new JobFailure("timeout", `${Math.round(allowedMs / 1000)} s were not enough`));
  }, CHECK_MS);
  return {
    moved() {
      movedAt = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}
