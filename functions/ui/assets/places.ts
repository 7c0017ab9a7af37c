/** Milliseconds by which a player may stop short of the moment that it was sent to. */
export const SHORT_MS = 60;

/** Elements of a page that stand for moments of its track, in order: `data-at`, in milliseconds. */
export class Places {
  readonly #elements: HTMLElement[];
  readonly #starts: number[];
  #present: HTMLElement | undefined;

  constructor(elements: HTMLElement[]) {
    this.#elements = elements;
    this.#starts = elements.map(({ dataset: { at } }) => Number(at));
    // A copy in Turbo's cache has the mark of another moment.
    for (const element of elements) element.removeAttribute("aria-current");
  }

  /** Marks the element of this moment; none before the track has begun. Returns it if it was not marked yet. */
  mark(ms: number): HTMLElement | undefined {
    const present = ms > 0 ? this.#elements[lastUpTo(this.#starts, ms + SHORT_MS)] : undefined;
    if (present === this.#present) return undefined;
    this.#present?.removeAttribute("aria-current");
    present?.setAttribute("aria-current", "true");
    this.#present = present;
    return present;
  }
}

/** Index of the last number that is not above a limit, in a sorted list; -1 if there is none. */
function lastUpTo(sorted: number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
