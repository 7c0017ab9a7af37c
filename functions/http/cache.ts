interface Bounds<Key, Value> {
  maxBytes: number;
  /** What takes more by itself is left out, or it would drive out all others. */
  maxEntryBytes?: number;
  /** Of the entry, estimated; the same as long as it is remembered. */
  bytesOf: (key: Key, value: Value) => number;
}

/** What an isolate remembers between requests, bounded by bytes: what was used least recently goes first. */
export class Remembered<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #bounds: Bounds<Key, Value>;
  #bytes = 0;

  constructor(bounds: Bounds<Key, Value>) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    // A `Map` keeps the order of insertion.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    const { maxBytes, maxEntryBytes = maxBytes, bytesOf } = this.#bounds;
    const bytes = bytesOf(key, value);
    if (bytes > maxEntryBytes) return;
    this.#entries.set(key, value);
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= maxBytes) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= this.#bounds.bytesOf(key, value);
  }
}
