import { setTimeout as sleep } from "node:timers/promises";
import type { Heartbeat } from "./contract.ts";
import { FRAMES_PER_PACKET, segmentStart } from "./geometry.ts";
import { asHeartbeat, type Progress, reportableSegments } from "./progress.ts";

/** Milliseconds. Keeps the lease even if no segment was stored. */
const HEARTBEAT_MS = Number(process.env.HEARTBEAT_MS ?? 15_000);

/** Milliseconds between looks for new segments. */
const LOOK_MS = 25;

/** Milliseconds between reports of new segments, at least. */
const MIN_REPORT_MS = 500;

/**
 * Milliseconds to wait before new segments are reported. Somebody who has played since the first report must find more
 * audio in time, so a small lead over them is reported often and a large one rarely.
 */
export const reportDelayMs = (leadSeconds: number): number => Math.max(MIN_REPORT_MS, leadSeconds * 250);

/** Sends heartbeats until `send` resolves to `false` or the signal aborts. */
export async function beat(
  progress: Progress,
  signal: AbortSignal,
  send: (heartbeat: Heartbeat) => Promise<boolean>,
): Promise<void> {
  let firstReportMs: number | undefined;

  function isWorthReporting(reported: number, sinceLastMs: number): boolean {
    if (reportableSegments(progress) <= reported) return false;
    if (reported === 0) return true;
    const playedSeconds = (performance.now() - (firstReportMs ?? 0)) / 1000;
    const reportedSeconds = (segmentStart(reported) * FRAMES_PER_PACKET) / progress.rate;
    return sinceLastMs >= reportDelayMs(reportedSeconds - playedSeconds);
  }

  while (!signal.aborted) {
    const sentMs = performance.now();
    const heartbeat = asHeartbeat(progress);
    if (heartbeat.segments_ready > 0) firstReportMs ??= sentMs;
    if (!(await send(heartbeat))) return;
    for (let waitedMs = 0; waitedMs < HEARTBEAT_MS; waitedMs = performance.now() - sentMs) {
      if (isWorthReporting(heartbeat.segments_ready, waitedMs)) break;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }
}
