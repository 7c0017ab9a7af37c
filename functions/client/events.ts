import { RateLimitError, ServiceError } from "./api-errors.ts";
import { ConnectionError, OAuthError, SoundpostError } from "./errors.ts";
import { readMessages } from "./event-messages.ts";
import { pause } from "./retry.ts";
import type { StreamEvent } from "./types.ts";

/** Milliseconds before the next connection, until the service names another time. */
const RETRY_MS = 1_000;
/** Milliseconds between attempts while the service cannot be reached. */
const MOST_WAIT_MS = 30_000;

export interface EventOptions {
  /** Goes on after it. Default: only what happens from now on. */
  lastEventId?: string | undefined;
  /** Ends the stream, without an error. */
  signal?: AbortSignal;
  /** Told of each failure that another attempt follows. */
  onFailure?: (error: SoundpostError) => void;
}

type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

/** Iterates over a user's events for as long as wanted. It connects at the first step, and again after each end. */
export class EventStream implements AsyncIterable<StreamEvent> {
  /** Stored, it lets a later stream go on after the last event that was taken. */
  lastEventId: string | undefined;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #connect: Connect;
  readonly #onFailure: (error: SoundpostError) => void;
  readonly #events = this.#follow();

  constructor(connect: Connect, { lastEventId, signal, onFailure = () => {} }: EventOptions) {
    this.#connect = connect;
    this.#onFailure = onFailure;
    this.lastEventId = lastEventId;
    this.#signal = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<StreamEvent, void>> {
    return this.#events.next();
  }

  /** Ends a pending `next`, too. */
  return(): Promise<IteratorResult<StreamEvent, void>> {
    this.#stop.abort();
    return this.#events.return();
  }

  async *#follow(): AsyncGenerator<StreamEvent, void> {
    let retryMs = RETRY_MS;
    for (let failures = 0; !this.#signal.aborted; ) {
      const opened = await this.#open();
      if (opened instanceof SoundpostError) failures++;
      else {
        failures = 0;
        for await (const { id, data, retryMs: asked } of readMessages(opened, this.#signal)) {
          if (this.#signal.aborted) return;
          this.lastEventId = id ?? this.lastEventId;
          retryMs = asked ?? retryMs;
          if (data !== undefined) yield JSON.parse(data);
        }
      }
      const asked = opened instanceof RateLimitError ? opened.retryAfterMs : undefined;
      const longer = failures ? Math.min(RETRY_MS * 2 ** failures, MOST_WAIT_MS) : 0;
      // Clients that one restart cut off should not come back at one moment.
      const wait = Math.max(retryMs, asked ?? longer) * (1 + Math.random() / 2);
      await pause(wait, this.#signal).catch(() => {});
    }
  }

  /** Returns a failure that may pass, and throws any other. */
  async #open(): Promise<ReadableStream<Uint8Array> | SoundpostError> {
    try {
      const { headers, body } = await this.#connect(this.lastEventId, this.#signal);
      if (body && headers.get("Content-Type")?.startsWith("text/event-stream")) return body;
      await body?.cancel();
      throw new ConnectionError("The reply is no stream of events");
    } catch (error) {
      if (this.#signal.aborted) return new SoundpostError("The stream was ended");
      if (!mayPass(error)) throw error;
      this.#onFailure(error);
      return error;
    }
  }
}

const mayPass = (error: unknown): error is SoundpostError =>
  error instanceof ConnectionError ||
  error instanceof RateLimitError ||
  error instanceof ServiceError ||
  (error instanceof OAuthError && (error.status === 429 || error.status >= 500));
