import { expect } from "vitest";

/**
 * Of the statuses of parallel guesses at one password: five are told that it is `wrong`, the rest to wait. Five hashes
 * in a row, on a machine that does much else, outlast the time that a statement is given; those are 504.
 */
export function expectFiveLookedAt(statuses: number[], wrong: number): void {
  const of = (status: number) => statuses.filter((other) => other === status).length;
  expect(of(wrong)).toBeLessThanOrEqual(5);
  expect(of(wrong) + of(504)).toBeGreaterThanOrEqual(5);
  expect(of(wrong) + of(504) + of(429)).toBe(statuses.length);
}
