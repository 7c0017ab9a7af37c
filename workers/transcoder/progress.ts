import type { Heartbeat } from "./contract.ts";
import { SHORT_SEGMENTS } from "./geometry.ts";

/** Progress of a job. The stages fill it in; the heartbeat reads it. */
export interface Progress {
  rate: number;
  frames: number;
  /** Seconds decoded in the current pass. The watchdog compares them with the time. */
  secondsDecoded: number;
  segmentsReady(): number;
  read(): number;
}

export const startProgress = (): Progress => ({
  rate: 48_000,
  frames: 0,
  secondsDecoded: 0,
  segmentsReady: () => 0,
  read: () => 0,
});

/** Reading the whole source does not end the encode. 1 comes with `finished`. */
const MOST_PROGRESS = 0.999;

/**
 * Whole segments to report. The short ones go together: they last as long as a player waits before it looks for more, RFC 8216
 * §6.3.4. VLC plays nothing of fewer until then, and GStreamer 1.22 crashes when a list of one segment grows.
 */
export function reportableSegments(progress: Progress): number {
  const ready = progress.segmentsReady();
  return ready < SHORT_SEGMENTS ? 0 : ready;
}

export const asHeartbeat = (progress: Progress): Heartbeat => ({
  segments_ready: reportableSegments(progress),
  sample_rate: progress.rate,
  frames: progress.frames,
  progress: Math.min(MOST_PROGRESS, Math.round(progress.read() * 1000) / 1000),
});
