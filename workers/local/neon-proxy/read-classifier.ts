/** Distinct texts to remember. The service has some two hundred. */
const MAX_TEXTS = 500;

/** Names before a bracket: called functions, and SQL words that are no names of functions. */
const CALLED = /\b(\w+)\(/g;

const WRITES = /\b(?:insert into|update|delete from|merge into)\b/i;

const LOCKS = /\bfor (?:no key )?(?:update|share)\b|\bfor key share\b/i;

/** Postgres lets no function write that is declared STABLE or IMMUTABLE. */
const READS =
  "SELECT NOT EXISTS (SELECT FROM pg_proc WHERE proname = ANY ($1) AND provolatile = 'v') AS reads";

type Ask = (text: string, values: string[][]) => Promise<{ rows: { reads?: boolean | null }[] }>;

/**
 * Recognizes statements that only read: a `select` without locks whose functions cannot write. Covers single
 * calls and the output of Drizzle's builder.
 */
export class ReadClassifier {
  readonly #answers = new Map<string, boolean>();

  /** Never waits for `ask`. Until it answers, a new text counts as a write. */
  onlyReads(text: string, ask: Ask): boolean {
    const answer = this.#answers.get(text);
    if (answer !== undefined || this.#answers.size >= MAX_TEXTS) return answer === true;
    this.#answers.set(text, false);
    if (/^\s*(?:select|with)\b/i.test(text) && !WRITES.test(text) && !LOCKS.test(text)) {
      const functions = [...text.matchAll(CALLED)].map(([, name]) => name ?? "");
      const record = ({ rows }: Awaited<ReturnType<Ask>>) => this.#answers.set(text, rows[0]?.reads === true);
      // Forget the text if the database is unreachable, so that its next use asks again.
      ask(READS, [functions]).then(record, () => this.#answers.delete(text));
    }
    return false;
  }
}
