import { expect } from "vitest";

/**
 * Expects that at most five parallel guesses are checked and `wrong`, and that the rest must wait. On a busy
 * machine five hashes in a row may exceed the deadline; those are 504.
 */
export function expectFiveLookedAt(statuses: number[], wrong: number): void {
  const of = (status: number) => statuses.filter((other) => other === status).length;
  expect(of(wrong)).toBeLessThanOrEqual(5);
  expect(of(wrong) + of(504)).toBeGreaterThanOrEqual(5);
  expect(of(wrong) + of(504) + of(429)).toBe(statuses.length);
}
