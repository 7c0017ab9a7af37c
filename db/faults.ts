/** What went wrong between us and the database, without SQL or parameters. */
export interface DatabaseFault {
  /**
   * `unavailable` and `rolled_back`: nothing was done. `lost`: the reply was, so nobody knows. `timeout`: cancelled, or
   * nobody knows.
   */
  kind: "unavailable" | "rolled_back" | "lost" | "timeout" | "bad_text" | "conflict" | "other";
  sqlstate: string | undefined;
}

/** Nobody listens where the database should be. */
export class DatabaseUnreachable extends Error {
  override readonly name = "DatabaseUnreachable";

  constructor(cause: unknown) {
    super("the database cannot be reached", { cause });
  }
}

/** `undefined` where the error did not come from the database. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause.name === "TimeoutError" || cause.name === "AbortError")
      return { kind: "timeout", sqlstate: undefined };
    if (cause instanceof DatabaseUnreachable) return { kind: "unavailable", sqlstate: undefined };
    if (cause.name === "NeonDbError") return ofDriver(cause);
  }
  return undefined;
}

/** Statuses of a proxy that got no connection to the database: its own 503, or the platform's 521 to 523. */
const NOT_BEGUN = /^Server error \(HTTP status (?:503|52[123])\)/;

function ofDriver(error: Error & { code?: unknown; sourceError?: unknown }): DatabaseFault {
  const sqlstate = typeof error.code === "string" && error.code.length === 5 ? error.code : undefined;
  if (sqlstate) return { kind: kindOf(sqlstate), sqlstate };
  const source = error.sourceError;
  if (source instanceof Error && (source.name === "TimeoutError" || source.name === "AbortError"))
    return { kind: "timeout", sqlstate };
  return { kind: NOT_BEGUN.test(error.message) ? "unavailable" : "lost", sqlstate };
}

/**
 * PostgreSQL, appendix A: 57014 and 55P03 took too long, 08 connection, 57P shutdown, 53 resources, 40 rolled back, 22 and 54
 * data, 23 constraints.
 */
function kindOf(sqlstate: string): DatabaseFault["kind"] {
  if (sqlstate === "57014" || sqlstate === "55P03") return "timeout";
  if (/^40(001|P01)/.test(sqlstate)) return "rolled_back";
  if (/^(08|57P|53|40)/.test(sqlstate)) return "unavailable";
  if (/^(22|54)/.test(sqlstate)) return "bad_text";
  if (/^23/.test(sqlstate)) return "conflict";
  return "other";
}
