/** What went wrong between us and the database, without SQL or parameters. */
export interface DatabaseFault {
  kind: "unavailable" | "timeout" | "bad_text" | "conflict" | "other";
  sqlstate: string | undefined;
}

/** `undefined` where the error did not come from the database. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause.name === "TimeoutError" || cause.name === "AbortError")
      return { kind: "timeout", sqlstate: undefined };
    if (cause.name === "NeonDbError") return ofDriver(cause);
  }
  return undefined;
}

function ofDriver(error: Error & { code?: unknown; sourceError?: unknown }): DatabaseFault {
  const sqlstate = typeof error.code === "string" && error.code.length === 5 ? error.code : undefined;
  if (!sqlstate) {
    const source = error.sourceError;
    const timedOut =
      source instanceof Error && (source.name === "TimeoutError" || source.name === "AbortError");
    return { kind: timedOut ? "timeout" : "unavailable", sqlstate };
  }
  return { kind: kindOf(sqlstate), sqlstate };
}

/** PostgreSQL, appendix A: 08 connection, 57P shutdown, 53 resources, 40 rolled back, 22 and 54 data, 23 constraints. */
function kindOf(sqlstate: string): DatabaseFault["kind"] {
  if (sqlstate === "57014") return "timeout";
  if (/^(08|57P|53|40)/.test(sqlstate)) return "unavailable";
  if (/^(22|54)/.test(sqlstate)) return "bad_text";
  if (/^23/.test(sqlstate)) return "conflict";
  return "other";
}
