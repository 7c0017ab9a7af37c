import { expect, test } from "vitest";
import { findFrames } from "../../workers/transcoder/mpeg-frames.ts";

test("four megabytes in which every third byte begins a header are searched in a moment", () => {
  const headers = Buffer.alloc(4 * 1024 * 1024, Buffer.from([0xff, 0xfb, 0x10]));
  const before = process.threadCpuUsage();
  expect(findFrames(headers, false)).toBeUndefined();
  // Microseconds.
  expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
});
