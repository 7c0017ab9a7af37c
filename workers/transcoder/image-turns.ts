/** Waiting images of one owner, each with the function that admits or refuses it. */
type Line = ((admitted: boolean) => void)[];

/**
 * Lets a few images be rendered at once. Owners take turns, and a full queue drops the newest image of the owner who has most in
 * it, so that one who sends hundreds delays nobody else's.
 */
export class ImageTurns {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  #running = 0;
  /** The owner whose turn is next stands first. */
  readonly #lines = new Map<string, Line>();

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /** Resolves to whether the image may be rendered. Each that may must `leave`. */
  async enter(owner: string): Promise<boolean> {
    if (this.#running < this.#atOnce) {
      this.#running++;
      return true;
    }
    if (!this.#makeRoom(owner)) return false;
    return new Promise((admit) => {
      const line = this.#lines.get(owner) ?? [];
      this.#lines.set(owner, [...line, admit]);
    });
  }

  /** The next image takes over the place. */
  leave(): void {
    const [next] = this.#lines;
    if (!next) {
      this.#running--;
      return;
    }
    const [owner, [admit, ...rest]] = next;
    this.#lines.delete(owner);
    if (rest.length) this.#lines.set(owner, rest);
    admit?.(true);
  }

  #makeRoom(owner: string): boolean {
    let [waiting, most, longest]: [number, string, Line] = [0, "", []];
    for (const [one, line] of this.#lines) {
      waiting += line.length;
      if (line.length > longest.length) [most, longest] = [one, line];
    }
    if (waiting < this.#maxWaiting) return true;
    if (longest.length <= (this.#lines.get(owner)?.length ?? 0) + 1) return false;
    this.#lines.set(most, longest.slice(0, -1));
    longest.at(-1)?.(false);
    return true;
  }
}
