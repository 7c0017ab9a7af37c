/**
 * Turns at what gets less done in all the more do it at once: so many have theirs at a time, in the order in which they came,
 * and hand them on. Where nobody has for `stallMs`, as behind statements that take long, one more is let in.
 */
export class Turns {
  readonly #places: number;
  readonly #stallMs: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #stalled: NodeJS.Timeout | undefined;

  constructor(options: { places: number; stallMs: number }) {
    this.#places = options.places;
    this.#stallMs = options.stallMs;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#places) this.#taken++;
    else await this.#turn();
    try {
      return await work();
    } finally {
      if (this.#waiting.length > 0) this.#next();
      else this.#taken--;
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#watch();
    });
  }

  #next(): void {
    clearTimeout(this.#stalled);
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#watch();
  }

  #watch(): void {
    this.#stalled = setTimeout(() => {
      this.#taken++;
      this.#next();
    }, this.#stallMs);
  }
}
