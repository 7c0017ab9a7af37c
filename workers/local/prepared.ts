/** Texts. The service has some two hundred; each connection holds a plan for those that it has run. */
const MAX_KNOWN = 500;

/** The call of one function, as `db.call` sends it. */
const CALL = /^select (\w+)\([$\d, ]*\) as \w+$/;

/** Of the function `$1`: Postgres lets none write that is declared STABLE or IMMUTABLE. */
const READS = "SELECT bool_and(provolatile <> 'v') AS reads FROM pg_proc WHERE proname = $1";

export interface KnownStatement {
  /** `undefined` for what is to stay unnamed. */
  name?: string;
  /** Whether it is known to write nothing. */
  reads: boolean;
}

const UNKNOWN: KnownStatement = { reads: false };

export type Ask = (text: string, values: string[]) => Promise<{ rows: { reads?: boolean | null }[] }>;

/**
 * Names under which connections prepare what they run, so that Postgres parses and plans a text once a connection, and what
 * of it only reads. Neon's own proxy does neither: there each statement is parsed anew.
 */
export class KnownStatements {
  readonly #known = new Map<string, KnownStatement>();
  #named = 0;

  /** Nobody waits for what `ask` says: a text that is new counts as one that writes until then. */
  find(text: string, ask: Ask): KnownStatement {
    const known = this.#known.get(text);
    if (known || this.#known.size >= MAX_KNOWN) return known ?? UNKNOWN;
    const statement = { name: `soundpost_${++this.#named}`, reads: false };
    this.#known.set(text, statement);
    const called = CALL.exec(text)?.[1];
    if (called) {
      const told = ({ rows }: Awaited<ReturnType<Ask>>) => {
        statement.reads = rows[0]?.reads === true;
      };
      // Without a database nobody could say: the next who comes with it asks again.
      ask(READS, [called]).then(told, () => this.#known.delete(text));
    }
    return statement;
  }
}

/** SQLSTATE: what was prepared would answer with other columns now; a name that the connection does not know. */
const OUTDATED = new Set(["0A000", "26000"]);

/** Whether what a connection has prepared fits the database no longer. */
export const isOutdated = (error: unknown): boolean => OUTDATED.has((error as { code?: string }).code ?? "");
