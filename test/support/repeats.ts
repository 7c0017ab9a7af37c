/** `npm test -- --full` sets it. */
export const isFull = process.env.FULL_TESTS === "1";

/** How often a race or a random input repeats. Each usual number still fails for a defect that shows often. */
export const repeats = (usual: number, full: number): number => (isFull ? full : usual);

/** Cases that take the same path: the first few, which differ most, and all of them with `--full`. */
export const casesOf = <Case>(usual: number, all: readonly Case[]): readonly Case[] =>
  isFull ? all : all.slice(0, usual);
