/** `wrong` keeps the server from doing its work; `warning` may be meant so. */
export type Finding = { part: string; state: "ok" | "warning" | "wrong"; says: string };

/** Makes findings about one part. */
export const about = (part: string) => ({
  ok: (says: string): Finding => ({ part, state: "ok", says }),
  warning: (says: string): Finding => ({ part, state: "warning", says }),
  wrong: (says: string): Finding => ({ part, state: "wrong", says }),
});

export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // fetch hides the reason in the cause, and a host of several addresses hides it in a list.
  const cause = error.cause instanceof AggregateError ? error.cause.errors[0] : error.cause;
  const { code, message } = (cause ?? error) as NodeJS.ErrnoException;
  return message || code || error.name;
};
