/** Texts that are remembered. The service has some two hundred. */
const MAX_KNOWN = 500;

/** Names before a bracket: the functions that a statement calls, among words of SQL that no function is named for. */
const CALLED = /\b(\w+)\(/g;

const LOCKS = /\bfor (?:no key )?(?:update|share)\b|\bfor key share\b/i;

/** Of functions by their names: Postgres lets none write that is declared STABLE or IMMUTABLE. */
const READS =
  "SELECT NOT EXISTS (SELECT FROM pg_proc WHERE proname = ANY ($1) AND provolatile = 'v') AS reads";

export type Ask = (text: string, values: string[][]) => Promise<{ rows: { reads?: boolean | null }[] }>;

/**
 * Tells statements that only read: a `select` that locks nothing and calls no function that may write. All the same whether it
 * is the call of one function or was made by Drizzle's builder.
 */
export class KnownReads {
  readonly #known = new Map<string, boolean>();

  /** Nobody waits for what `ask` says: a text that is new counts as one that writes until then. */
  has(text: string, ask: Ask): boolean {
    const known = this.#known.get(text);
    if (known !== undefined || this.#known.size >= MAX_KNOWN) return known === true;
    this.#known.set(text, false);
    if (/^\s*select\b/i.test(text) && !LOCKS.test(text)) {
      const called = [...text.matchAll(CALLED)].map(([, name]) => name ?? "");
      const told = ({ rows }: Awaited<ReturnType<Ask>>) => this.#known.set(text, rows[0]?.reads === true);
      // Without a database nobody could say: the next who comes with it asks again.
      ask(READS, [called]).then(told, () => this.#known.delete(text));
    }
    return false;
  }
}
