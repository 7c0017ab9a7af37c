import { runInNewContext } from "node:vm";

/** Milliseconds. Only what never comes takes as long: the square of millions takes hours, and linear work a moment. */
const PATIENCE_MS = 60_000;

/** Ends work on an input of millions whose cost is the square of its size. Otherwise returns its result. */
export const inLinearTime = <Result>(work: () => Result): Result =>
  runInNewContext("work()", { work }, { timeout: PATIENCE_MS });
