import { JobFailure } from "./failures.ts";

const STALL_MS = Number(process.env.STALL_MS ?? 60_000);

/**
 * Milliseconds, and a factor. Encoding at half the speed of playback, after a minute's grace, means trouble.
 */
const GRACE_MS = Number(process.env.GRACE_MS ?? 60_000);
const SLOWEST = 2;

const CHECK_MS = 1_000;

interface Watchdog {
  /** Call it after any progress: bytes read, decoded or stored. */
  moved(): void;
  stop(): void;
}

/**
 * Extends the deadline with the decoded audio, because declared lengths may lie. A long file is counted first and decoded again,
 * and each pass has its own time.
 */
export function startWatchdog(decodedSeconds: () => number, fail: (failure: JobFailure) => void): Watchdog {
  let startedAt = performance.now();
  let movedAt = startedAt;
  let decoded = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - movedAt > STALL_MS) fail(new JobFailure("stalled", `nothing moved for ${STALL_MS} ms`));
    const before = decoded;
    decoded = decodedSeconds();
    if (decoded < before) startedAt = now;
    const allowedMs = GRACE_MS + SLOWEST * decoded * 1000;
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
