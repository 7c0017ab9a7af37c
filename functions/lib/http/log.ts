type Level = "info" | "warn" | "error";

/**
 * Writes one line of JSON. Its fields are chosen, never copied from requests: headers, bodies, queries and
 * paths carry credentials. JSON escapes anything that could forge a line.
 */
export function logLine(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  // Spreading both into one object would copy it name by name.
  const head = `{"ts":"${new Date().toISOString()}","level":"${level}","event":"${event}"`;
  const rest = JSON.stringify(fields);
  console[level](rest === "{}" ? `${head}}` : `${head},${rest.slice(1)}`);
}

/** Logs the kind of an error only: messages of database errors hold SQL with its parameters. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  return { error: error.name, at: frames.slice(0, 4).map((line) => line.trim()) };
}

/** Gathers the fields of a request's log line. */
export class RequestLog {
  readonly startedAt = performance.now();
  statements = 0;
  sqlMs = 0;
  fields: Record<string, unknown> | undefined;

  add(fields: Record<string, unknown>): void {
    this.fields = { ...this.fields, ...fields };
  }
}
