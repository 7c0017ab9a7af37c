import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Heartbeat } from "../../workers/transcoder/contract.ts";
import { beat, reportDelayMs } from "../../workers/transcoder/heartbeat.ts";
import { startProgress } from "../../workers/transcoder/progress.ts";

beforeAll(() => void vi.useFakeTimers({ fakeNodeBuiltins: true }));
afterAll(() => void vi.useRealTimers());

/** Records the heartbeats of an encode that begins after a moment and makes this many segments a second. */
async function record(segmentsPerSecond: number, forMs: number) {
  const stop = new AbortController();
  const startedMs = performance.now();
  const beginsMs = 200;
  const sinceBeginMs = () => performance.now() - startedMs - beginsMs;
  const progress = startProgress();
  progress.segmentsReady = () => Math.max(0, Math.ceil((sinceBeginMs() / 1000) * segmentsPerSecond));
  const beats: (Heartbeat & { atMs: number })[] = [];
  const beating = beat(progress, stop.signal, async (heartbeat) => {
    beats.push({ ...heartbeat, atMs: sinceBeginMs() });
    return true;
  });
  await vi.advanceTimersByTimeAsync(forMs);
  stop.abort();
  await beating;
  return beats;
}

test("the short segments are reported together, and further ones before a listener has played them", async () => {
  const beats = await record(1, 4_000);
  expect(beats).toMatchObject([
    { atMs: -200, segments_ready: 0 },
    { atMs: 2_025, segments_ready: 3, sample_rate: 48_000 },
    { atMs: 3_150, segments_ready: 4 },
  ]);
});

test("a fast encode reports rarely", async () => {
  expect((await record(20, 4_000)).map(({ atMs }) => atMs)).toEqual([-200, 125, 1_250]);
});

test("a larger lead over the listener waits longer", () => {
  expect([-5, 0, 2, 8, 60].map(reportDelayMs)).toEqual([500, 500, 500, 2_000, 15_000]);
});
