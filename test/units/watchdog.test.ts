import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JobFailure } from "../../workers/transcoder/failures.ts";
import { startWatchdog } from "../../workers/transcoder/watchdog.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Runs passes that decode so many seconds each second, and returns the reasons for which the job was ended. */
function reasonsOf(...passes: { lastsS: number; speed: number }[]): string[] {
  const reasons: string[] = [];
  let decoded = 0;
  const dog = startWatchdog(
    () => decoded,
    (failure: JobFailure) => reasons.push(failure.reason),
  );
  for (const { lastsS, speed } of passes) {
    decoded = 0;
    for (let second = 0; second < lastsS; second++) {
      decoded += speed;
      dog.moved();
      vi.advanceTimersByTime(1000);
    }
  }
  dog.stop();
  return reasons;
}

test("a pass slower than half the speed of playback ends the job after a minute's grace", () => {
  expect(reasonsOf({ lastsS: 600, speed: 1 })).toEqual([]);
  expect(reasonsOf({ lastsS: 100, speed: 0.1 })).toContain("timeout");
});

test("an encode has its own time after a long file was counted", () => {
  expect(reasonsOf({ lastsS: 300, speed: 250 }, { lastsS: 300, speed: 5 })).toEqual([]);
  expect(reasonsOf({ lastsS: 300, speed: 250 }, { lastsS: 100, speed: 0.1 })).toContain("timeout");
});
