type Level = "info" | "warn" | "error";

/**
 * One JSON line. Fields are chosen, never copied from requests: no headers, bodies, queries or paths, whose
 * segments carry signed tokens. JSON escapes what could forge a line.
 */
export function logLine(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  // Together they would first be copied into one object, name by name.
  const head = `{"ts":"${new Date().toISOString()}","level":"${level}","event":"${event}"`;
  const rest = JSON.stringify(fields);
  console[level](rest === "{}" ? `${head}}` : `${head},${rest.slice(1)}`);
}

/** Only the kind of an error: messages of database errors hold SQL with its parameters. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  return { error: error.name, at: frames.slice(0, 4).map((line) => line.trim()) };
}

/** What a request gathers on its way for its one line. */
export class RequestLog {
  readonly startedAt = performance.now();
  statements = 0;
  sqlMs = 0;
  fields: Record<string, unknown> | undefined;

  add(fields: Record<string, unknown>): void {
    this.fields = { ...this.fields, ...fields };
  }
}
