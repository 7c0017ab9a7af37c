/** Milliseconds. Longer than anything that the service reads from may be behind. */
const SETTLED_MS = 20_000;

const NAME = "Read-After";

/**
 * Returns to the service what it said about this client's latest change, so that reads are answered as of it. A client
 * of less than twenty seconds may follow another, whose changes it does not know: it sends nothing.
 */
export class ReadAfter {
  readonly #since = Date.now();
  #latest: string | undefined;

  headers(): Record<string, string> {
    if (this.#latest !== undefined) return { [NAME]: this.#latest };
    return Date.now() - this.#since > SETTLED_MS ? { [NAME]: "0" } : {};
  }

  /** Replies to writes that ran side by side come in any order. */
  note(reply: Response): void {
    const noted = reply.headers.get(NAME);
    if (noted !== null && isLater(noted, this.#latest ?? "0")) this.#latest = noted;
  }
}

/** Compares whole numbers that may be too large for a number. */
const isLater = (one: string, other: string): boolean =>
  one.length === other.length ? one > other : one.length > other.length;
