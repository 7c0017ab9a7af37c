/** A failure between us and the database, without SQL or parameters. */
interface DatabaseFault {
  /**
   * `unavailable`, `rolled_back` and `late` guarantee that nothing was done. After `lost` the outcome is unknown.
   * `timeout` means cancelled or unknown.
   */
  kind: "unavailable" | "rolled_back" | "late" | "lost" | "timeout" | "bad_text" | "conflict" | "other";
  sqlstate: string | undefined;
  /** DETAIL raised by one of our functions. */
  detail?: string;
}

/** Nothing listens at the database's address. */
export class DatabaseUnreachable extends Error {
  override readonly name = "DatabaseUnreachable";

  constructor(cause: unknown) {
    super("the database cannot be reached", { cause });
  }
}

/** A failure over TCP. Without a code, the connection broke and nobody knows how far the statement got. */
export class StatementFailed extends Error {
  override readonly name = "StatementFailed";
  readonly code: string | undefined;
  readonly detail: string | undefined;

  constructor(cause: unknown, said: { code?: string | undefined; detail?: string | undefined } = {}) {
    super("the statement failed", { cause });
    this.code = said.code;
    this.detail = said.detail;
  }
}

/** SQLSTATE of `in_time`: the statement ended after its deadline and was rolled back. */
export const LATE = "SL000";

/** SQLSTATE of `require_session`: nothing was read or written. */
const ENDED = "SE000";

/** SQLSTATE of `require_confirmed`: nothing was written. */
const UNCONFIRMED = "SC000";

/** SQLSTATEs of `require_operator`: nothing was read or written. */
const NOT_OPERATOR = "SO000";
const SECOND_FACTOR = "SO001";

/** SQLSTATE of a value that another row has: PostgreSQL, appendix A. */
export const UNIQUE_VIOLATION = "23505";

/** SQLSTATEs of a function or schema that does not exist: PostgreSQL, appendix A. */
const MISSING = ["42883", "3F000"];

export const isFunctionMissing = (error: unknown): boolean =>
  MISSING.includes(databaseFault(error)?.sqlstate ?? "");

/** The caller's session has ended: the token or cookie is no longer valid. */
export class SessionEnded extends Error {
  override readonly name = "SessionEnded";
}

/** The user's e-mail address has yet to be confirmed, and until then the user posts nothing. */
export class ConfirmationNeeded extends Error {
  override readonly name = "ConfirmationNeeded";
}

/** The caller is no operator of the service. */
export class NotOperator extends Error {
  override readonly name = "NotOperator";
}

/** The operator's session has yet to pass the second factor. */
export class SecondFactorNeeded extends Error {
  override readonly name = "SecondFactorNeeded";
}

/** Converts the database's refusal of a caller to an error class. Other errors pass unchanged. */
export function toRefusal(error: unknown): unknown {
  switch (databaseFault(error)?.sqlstate) {
    case ENDED:
      return new SessionEnded("the session has ended", { cause: error });
    case UNCONFIRMED:
      return new ConfirmationNeeded("the address has yet to be confirmed", { cause: error });
    case NOT_OPERATOR:
      return new NotOperator("the user is no operator", { cause: error });
    case SECOND_FACTOR:
      return new SecondFactorNeeded("the second factor is needed", { cause: error });
    default:
      return error;
  }
}

/** Classifies an error. `undefined` if it did not come from the database. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause.name === "TimeoutError" || cause.name === "AbortError")
      return { kind: "timeout", sqlstate: undefined };
    if (cause instanceof DatabaseUnreachable) return { kind: "unavailable", sqlstate: undefined };
    if (cause.name === "NeonDbError" || cause instanceof StatementFailed) return driverFault(cause);
  }
  return undefined;
}

/** Statuses of a proxy that never reached the database: its own 503, or the platform's 521 to 523. */
const NOT_BEGUN = /^Server error \(HTTP status (?:503|52[123])\)/;

type DriverError = Error & { code?: unknown; detail?: unknown; sourceError?: unknown };

function driverFault(error: DriverError): DatabaseFault {
  const sqlstate = typeof error.code === "string" && error.code.length === 5 ? error.code : undefined;
  if (sqlstate === LATE) return { kind: "late", sqlstate, detail: String(error.detail) };
  if (sqlstate) return { kind: kindOf(sqlstate), sqlstate };
  const source = error.sourceError;
  if (source instanceof Error && (source.name === "TimeoutError" || source.name === "AbortError"))
    return { kind: "timeout", sqlstate };
  return { kind: NOT_BEGUN.test(error.message) ? "unavailable" : "lost", sqlstate };
}

/**
 * PostgreSQL, appendix A: 57014 cancelled, 08 connection, 57P shutdown, 53 resources, 40 rolled back, 22 and 54 data,
 * 23 constraints.
 */
function kindOf(sqlstate: string): DatabaseFault["kind"] {
  if (sqlstate === "57014") return "timeout";
  // PostgreSQL gave up on a lock and rolled back, so nothing was done.
  if (sqlstate === "55P03") return "unavailable";
  if (/^40(001|P01)/.test(sqlstate)) return "rolled_back";
  if (/^(08|57P|53|40)/.test(sqlstate)) return "unavailable";
  if (/^(22|54)/.test(sqlstate)) return "bad_text";
  if (/^23/.test(sqlstate)) return "conflict";
  return "other";
}
