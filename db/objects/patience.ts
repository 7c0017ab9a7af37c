import { ObjectStoreUnavailable } from "./port.ts";

/** Milliseconds without a byte after which storage is taken for stalled. What moves goes on for as long as it takes. */
export const IDLE_MS = 10_000;

/** Bytes asked of storage at a time. */
const CHUNK_BYTES = 64 * 1024;

/** Watches one call to storage, and gives it up where nothing has moved for too long while somebody waits. */
export class Patience {
  readonly #operation: string;
  readonly #idleMs: number;
  readonly #abort = new AbortController();
  #movedAtMs = 0;
  #giveUp: ((reason: ObjectStoreUnavailable) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(operation: string, idleMs = IDLE_MS) {
    this.#operation = operation;
    this.#idleMs = idleMs;
  }

  /** Aborted when it was given up. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  moved(): void {
    this.#movedAtMs = Date.now();
  }

  /** One at a time. Throws `ObjectStoreUnavailable`, also of what fails by itself. */
  wait<Result>(asked: Promise<Result>): Promise<Result> {
    this.moved();
    this.#timer ??= setTimeout(() => this.#look(), this.#idleMs);
    return new Promise<Result>((resolve, reject) => {
      this.#giveUp = reject;
      asked.then(resolve, (cause: unknown) =>
        reject(
          cause instanceof ObjectStoreUnavailable
            ? cause
            : new ObjectStoreUnavailable(this.#operation, { cause }),
        ),
      );
    }).finally(() => {
      this.#giveUp = undefined;
    });
  }

  /** The same of a call that is over with it. */
  last<Result>(asked: Promise<Result>): Promise<Result> {
    return this.wait(asked).finally(() => this.end());
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** One timer for all chunks: setting one for each would cost more than reading them. */
  #look(): void {
    this.#timer = undefined;
    if (!this.#giveUp) return;
    const leftMs = this.#movedAtMs + this.#idleMs - Date.now();
    if (leftMs > 0) {
      this.#timer = setTimeout(() => this.#look(), leftMs);
      return;
    }
    const stalled = new ObjectStoreUnavailable(`${this.#operation} stalled`);
    this.#giveUp(stalled);
    this.#abort.abort(stalled);
  }
}

/** What storage sends. Timed only while it is waited for: a listener may be as slow as he likes. */
export function untilStalled(
  body: ReadableStream<Uint8Array>,
  size: number,
  patience: Patience,
): ReadableStream<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  return new ReadableStream<Uint8Array>({
    // workerd sends it as the Content-Length.
    expectedLength: size,
    async pull(controller) {
      try {
        const { value, done } = await patience.wait(reader.read(new Uint8Array(CHUNK_BYTES)));
        if (value?.byteLength) controller.enqueue(value);
        if (!done) return;
        patience.end();
        controller.close();
      } catch (error) {
        patience.end();
        reader.cancel(error).catch(() => {});
        throw error;
      }
    },
    async cancel(reason) {
      patience.end();
      await reader.cancel(reason);
    },
  });
}

/** What is sent to storage: each chunk that it takes is a sign of life. */
export function telling(source: ReadableStream<Uint8Array>, patience: Patience): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await reader.read();
      patience.moved();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
