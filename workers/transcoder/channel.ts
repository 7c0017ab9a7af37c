/** Passes values in order to one reader. Holds unread values without limit. */
export class Channel<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #end: { error?: unknown } | undefined;
  #wake: () => void = () => {};

  push(value: T): void {
    this.#waiting.push(value);
    this.#wake();
  }

  end(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** The reader gets the error after the values. */
  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      yield* this.#waiting.splice(0);
      if (this.#waiting.length > 0) continue;
      if (this.#end && "error" in this.#end) throw this.#end.error;
      if (this.#end) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Reads at once and without limit, so that a process never waits for its reader. */
export function readAhead<T>(source: AsyncIterable<T>): Channel<T> {
  const channel = new Channel<T>();
  const read = async () => {
    for await (const value of source) channel.push(value);
  };
  read().then(
    () => channel.end(),
    (error) => channel.fail(error),
  );
  return channel;
}
