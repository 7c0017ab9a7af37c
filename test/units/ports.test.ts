import { expect, test } from "vitest";
import { freePorts } from "../../workers/local/stack/ports.ts";

test("chosen ports are not chosen again before anybody can listen on them", async () => {
  const ports = await Promise.all(Array.from({ length: 260 }, () => freePorts()));
  expect(new Set(ports).size).toBe(260);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(18_000);
  // The kernel assigns higher ports to outgoing connections.
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
