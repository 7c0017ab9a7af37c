interface Bounds<Key, Value> {
  maxBytes: number;
  /** Estimated size of an entry. It must not change while the entry is cached. */
  bytesOf: (key: Key, value: Value) => number;
}

/**
 * A cache of an isolate, shared by its requests. It evicts the least recently used entries above `maxBytes`.
 */
export class LruCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #bounds: Bounds<Key, Value>;
  /** Points before the oldest entry. A new iterator would step over the slots of all evicted entries. */
  #oldest = this.#entries.keys();
  /** Entries appended since the iterator was made. */
  #appended = 0;
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
    // Moves the entry to the end: a `Map` iterates in insertion order.
    this.#entries.delete(key);
    this.#append(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    const { maxBytes, bytesOf } = this.#bounds;
    const bytes = bytesOf(key, value);
    // It would evict all others.
    if (bytes > maxBytes) return;
    this.#append(key, value);
    this.#bytes += bytes;
    while (this.#bytes > maxBytes) this.#evictOldest();
  }

  #append(key: Key, value: Value): void {
    this.#entries.set(key, value);
    // V8 retains every table that the map outgrew since its iterator last moved, so the iterator is renewed.
    if (++this.#appended <= this.#entries.size) return;
    this.#appended = 0;
    this.#oldest = this.#entries.keys();
  }

  #evictOldest(): void {
    const oldest = this.#oldest.next();
    // An iterator that has reached the end stays there.
    if (oldest.done) this.#oldest = this.#entries.keys();
    else this.delete(oldest.value);
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= this.#bounds.bytesOf(key, value);
  }
}
