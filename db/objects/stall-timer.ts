import { ObjectStoreUnavailable } from "./port.ts";

/**
 * Milliseconds without a byte before storage counts as stalled. A body of over `SMALL_BYTES` may take any time while it
 * moves; a smaller one has this long in all, because its bytes are not seen.
 */
export const IDLE_MS = 10_000;

/** Bytes requested from storage at a time. */
const CHUNK_BYTES = 64 * 1024;

/** Watches one call to storage. Aborts it if nothing moves for too long while a caller waits. */
export class StallTimer {
  readonly #operation: string;
  readonly #abort = new AbortController();
  #movedAtMs = 0;
  #giveUp: ((reason: ObjectStoreUnavailable) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(operation: string) {
    this.#operation = operation;
  }

  /** Aborts when the call stalls. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  restart(): void {
    this.#movedAtMs = Date.now();
  }

  /** Waits for one step at a time. Any failure becomes `ObjectStoreUnavailable`. */
  wait<Result>(asked: Promise<Result>): Promise<Result> {
    this.restart();
    this.#timer ??= setTimeout(() => this.#look(), IDLE_MS);
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

  /** Waits for the call's last step, then stops the timer. */
  last<Result>(asked: Promise<Result>): Promise<Result> {
    return this.wait(asked).finally(() => this.end());
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** One timer serves all chunks. Setting one per chunk would cost more than reading it. */
  #look(): void {
    this.#timer = undefined;
    if (!this.#giveUp) return;
    const leftMs = this.#movedAtMs + IDLE_MS - Date.now();
    if (leftMs > 0) {
      this.#timer = setTimeout(() => this.#look(), leftMs);
      return;
    }
    const stalled = new ObjectStoreUnavailable(`${this.#operation} stalled`);
    this.#giveUp(stalled);
    this.#abort.abort(stalled);
  }
}

/** Wraps a body from storage. The timer runs only during reads, because a listener may be slow. */
export function failingOnStall(
  body: ReadableStream<Uint8Array>,
  size: number,
  timer: StallTimer,
): ReadableStream<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  return new ReadableStream<Uint8Array>({
    // workerd sends this as Content-Length.
    expectedLength: size,
    async pull(controller) {
      try {
        const chunk = await timer.wait(reader.read(new Uint8Array(CHUNK_BYTES)));
        if (chunk.value?.byteLength) controller.enqueue(chunk.value);
        if (!chunk.done) return;
        timer.end();
        controller.close();
      } catch (error) {
        timer.end();
        reader.cancel(error).catch(() => {});
        throw error;
      }
    },
    async cancel(reason) {
      timer.end();
      await reader.cancel(reason);
    },
  });
}

/** Bytes. Storage takes a body up to this size well within the limit, so it passes whole, without JavaScript. */
const SMALL_BYTES = 1024 * 1024;

/** Prepares a body for storage. Each chunk that storage takes of a large one restarts the timer. */
export function bodyFor(
  stream: ReadableStream<Uint8Array>,
  size: number,
  timer: StallTimer,
): ReadableStream<Uint8Array> {
  const watched = size > SMALL_BYTES ? restartingTimer(stream, timer) : stream;
  // workerd sends a Content-Length only for a stream of known length.
  return typeof FixedLengthStream === "undefined"
    ? watched
    : watched.pipeThrough(new FixedLengthStream(size));
}

function restartingTimer(source: ReadableStream<Uint8Array>, timer: StallTimer): ReadableStream<Uint8Array> {
  const { read, cancel } = inLargeChunks(source);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await read();
      timer.restart();
      if (chunk.done) controller.close();
      else controller.enqueue(chunk.value);
    },
    cancel,
  });
}

/**
 * A request's body arrives in small pieces unless the reader brings a buffer, and each piece costs as much as a
 * large one.
 */
function inLargeChunks(source: ReadableStream<Uint8Array>) {
  try {
    const reader = source.getReader({ mode: "byob" });
    return { read: () => reader.read(new Uint8Array(CHUNK_BYTES)), cancel: reader.cancel.bind(reader) };
  } catch {
    // Streams of our own making choose their pieces themselves.
    const reader = source.getReader();
    return { read: () => reader.read(), cancel: reader.cancel.bind(reader) };
  }
}
