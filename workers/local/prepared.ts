/** Texts. The service has some two hundred; each connection holds a plan for those that it has run. */
const MAX_NAMED = 500;

/**
 * Names under which connections prepare what they run, so that Postgres parses and plans a text once a connection. Neon's
 * own proxy does not: there each statement is parsed anew.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** `undefined` for what is to stay unnamed. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= MAX_NAMED) return known;
    const name = `soundpost_${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}

/** SQLSTATE: what was prepared would answer with other columns now; a name that the connection does not know. */
const OUTDATED = new Set(["0A000", "26000"]);

/** Whether what a connection has prepared fits the database no longer. */
export const isOutdated = (error: unknown): boolean => OUTDATED.has((error as { code?: string }).code ?? "");
