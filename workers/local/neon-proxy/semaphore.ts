/**
 * Limits concurrent work that slows down under concurrency; waiters run in order of arrival. If none has
 * finished for `stallMs`, as behind slow statements, one more may run.
 */
export class Semaphore {
  readonly #places: number;
  readonly #stallMs: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #stalled: NodeJS.Timeout | undefined;

  constructor(options: { places: number; stallMs: number }) {
    this.#places = options.places;
    this.#stallMs = options.stallMs;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#places) this.#taken++;
    else await this.#wait();
    try {
      return await work();
    } finally {
      if (this.#waiting.length > 0) this.#next();
      else this.#taken--;
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#startStallTimer();
    });
  }

  #next(): void {
    clearTimeout(this.#stalled);
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#startStallTimer();
  }

  #startStallTimer(): void {
    this.#stalled = setTimeout(() => {
      this.#taken++;
      this.#next();
    }, this.#stallMs);
  }
}
