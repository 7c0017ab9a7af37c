import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { onClockSetBack } from "../../workers/local/worker/clock.ts";

const MINUTE_MS = 60_000;
const reportedMs: number[] = [];
let watch: { stop(): void };

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date", "performance"] });
  watch = onClockSetBack((byMs) => reportedMs.push(byMs));
});
afterAll(() => {
  watch.stop();
  vi.useRealTimers();
});
beforeEach(() => void reportedMs.splice(0));

const pass = (ms: number) => vi.advanceTimersByTime(ms);
const setClock = (byMs: number) => vi.setSystemTime(Date.now() + byMs);

test("a clock that is set back by an hour is reported once", () => {
  pass(MINUTE_MS);
  setClock(-60 * MINUTE_MS);
  pass(2_000);
  expect(reportedMs).toEqual([60 * MINUTE_MS]);
  pass(MINUTE_MS);
  expect(reportedMs).toHaveLength(1);
});

test("small corrections are reported when they add up", () => {
  setClock(-3_000);
  pass(2_000);
  expect(reportedMs).toEqual([]);
  setClock(-3_000);
  pass(2_000);
  expect(reportedMs).toEqual([6_000]);
});

test("a clock that is set forward is reported when it is set back again", () => {
  setClock(60 * MINUTE_MS);
  pass(2_000);
  expect(reportedMs).toEqual([]);
  setClock(-60 * MINUTE_MS);
  pass(2_000);
  expect(reportedMs).toEqual([60 * MINUTE_MS]);
});
