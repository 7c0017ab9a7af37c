import { expect, test } from "vitest";
import type { Heartbeat } from "../../workers/transcoder/contract.ts";
import { beat, reportDelayMs } from "../../workers/transcoder/heartbeat.ts";
import { startProgress } from "../../workers/transcoder/progress.ts";

/** Records the heartbeats of an encode that begins after a moment and makes this many segments a second. */
async function record(segmentsPerSecond: number, forMs: number) {
  const stop = new AbortController();
  const startedMs = performance.now();
  const beginsMs = 200;
  const progress = startProgress();
  progress.segmentsReady = () =>
    Math.max(0, Math.ceil(((performance.now() - startedMs - beginsMs) / 1000) * segmentsPerSecond));
  const beats: (Heartbeat & { atMs: number })[] = [];
  setTimeout(() => stop.abort(), forMs);
  await beat(progress, stop.signal, async (heartbeat) => {
    beats.push({ ...heartbeat, atMs: performance.now() - startedMs - beginsMs });
    return true;
  });
  return beats;
}

test.concurrent("the short segments are reported together, and further ones before a listener has played them", async () => {
  const beats = await record(1, 4_000);
  expect(beats[0]).toMatchObject({ segments_ready: 0 });
  expect(beats[1]).toMatchObject({ segments_ready: 3, sample_rate: 48_000 });
  expect(beats[1]?.atMs).toBeLessThan(3_000);
  expect(beats[2]).toMatchObject({ segments_ready: 4 });
});

test.concurrent("a fast encode reports rarely", async () => {
  const beats = await record(20, 4_000);
  expect(beats.length).toBeGreaterThanOrEqual(3);
  expect(beats.length).toBeLessThanOrEqual(5);
});

test("a larger lead over the listener waits longer", () => {
  expect([-5, 0, 2, 8, 60].map(reportDelayMs)).toEqual([500, 500, 500, 2_000, 15_000]);
});
