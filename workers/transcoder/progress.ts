import type { Heartbeat } from "./contract.ts";

/** How far a job is. Those who do the work fill it in; the heartbeat reads it. */
export interface Progress {
  rate: number;
  frames: number;
  /** Seconds decoded, in whichever pass: what the watchdog measures time against. */
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

/** A source that was read to its end is not an encode that is done: 1 comes with `finished`. */
const MOST_PROGRESS = 0.999;

export const asHeartbeat = (progress: Progress): Heartbeat => ({
  segments_ready: progress.segmentsReady(),
  frames: progress.frames,
  progress: Math.min(MOST_PROGRESS, Math.round(progress.read() * 1000) / 1000),
});
