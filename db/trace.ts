import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** Runs a part of a trace. Statements that it sends carry its `traceparent` (W3C Trace Context) as a comment. */
export const withTrace = <Result>(traceparent: string, run: () => Result): Result =>
  current.run(traceparent, run);

/**
 * Returns the statement with its trace in a comment, as sqlcommenter writes it. Without a trace, returns it
 * unchanged.
 */
export function traced(statement: string): string {
  const traceparent = current.getStore();
  return traceparent === undefined ? statement : `${statement} /*traceparent='${traceparent}'*/`;
}
