/** What went wrong between us and the database, without SQL or parameters. */
export interface DatabaseFault {
  /**
   * `unavailable`, `rolled_back` and `late`: nothing was done. `lost`: the reply was, so nobody knows. `timeout`: cancelled,
   * or nobody knows.
   */
  kind: "unavailable" | "rolled_back" | "late" | "lost" | "timeout" | "bad_text" | "conflict" | "other";
  sqlstate: string | undefined;
  /** The DETAIL that a function of ours raised. */
  detail?: string;
}

/** Nobody listens where the database should be. */
export class DatabaseUnreachable extends Error {
  override readonly name = "DatabaseUnreachable";

  constructor(cause: unknown) {
    super("the database cannot be reached", { cause });
  }
}

/** SQLSTATE of `in_time`: the statement ended after its deadline and was rolled back. */
export const LATE = "SL000";

/** SQLSTATE of `require_session`: nothing was read or written. */
const ENDED = "SE000";

/** The caller's session is over: their token, or the site's cookie, is worth nothing any more. */
export class SessionEnded extends Error {
  override readonly name = "SessionEnded";
}

/** `SessionEnded` where that is what the database says. */
export const asSessionEnded = (error: unknown): unknown =>
  databaseFault(error)?.sqlstate === ENDED
    ? new SessionEnded("the session has ended", { cause: error })
    : error;

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

type DriverError = Error & { code?: unknown; detail?: unknown; sourceError?: unknown };

function ofDriver(error: DriverError): DatabaseFault {
  const sqlstate = typeof error.code === "string" && error.code.length === 5 ? error.code : undefined;
  if (sqlstate === LATE) return { kind: "late", sqlstate, detail: String(error.detail) };
  if (sqlstate) return { kind: kindOf(sqlstate), sqlstate };
  const source = error.sourceError;
  if (source instanceof Error && (source.name === "TimeoutError" || source.name === "AbortError"))
    return { kind: "timeout", sqlstate };
  return { kind: NOT_BEGUN.test(error.message) ? "unavailable" : "lost", sqlstate };
}

/**
 * PostgreSQL, appendix A: 57014 took too long, 08 connection, 57P shutdown, 53 resources, 40 rolled back, 22 and 54
 * data, 23 constraints.
 */
function kindOf(sqlstate: string): DatabaseFault["kind"] {
  if (sqlstate === "57014") return "timeout";
  // PostgreSQL gave up waiting for a lock and rolled back: nothing was done.
  if (sqlstate === "55P03") return "unavailable";
  if (/^40(001|P01)/.test(sqlstate)) return "rolled_back";
  if (/^(08|57P|53|40)/.test(sqlstate)) return "unavailable";
  if (/^(22|54)/.test(sqlstate)) return "bad_text";
  if (/^23/.test(sqlstate)) return "conflict";
  return "other";
}
