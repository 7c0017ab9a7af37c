import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { hashTurn, refuseLongQueue } from "../../functions/lib/security/hash-turns.ts";

beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

test("a long queue is refused before an attempt counts, while a counted one still gets its turn", async () => {
  refuseLongQueue();
  const turns: Promise<void>[] = [];
  const isOpen = () => {
    try {
      refuseLongQueue();
      return true;
    } catch {
      return false;
    }
  };
  while (isOpen()) turns.push(hashTurn());
  expect(turns.length).toBeGreaterThan(60);
  turns.push(hashTurn());
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(turns);
  refuseLongQueue();
});
