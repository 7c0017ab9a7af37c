import { find, findAll, findIfAny } from "./elements.ts";

/** The transcript of a track: follows the sound until somebody scrolls it, and finds words. */

/** The share of its height that is above the present words. */
const ABOVE = 0.3;

const followBox = (root: ParentNode) => find(root, ".transcript-follow input", HTMLInputElement);
const textOf = (root: ParentNode) => find(root, ".transcript-text", HTMLElement);
const searchOf = (root: ParentNode) => find(root, "[type=search]", HTMLInputElement);

/** Scrolls the words that have just begun into sight. */
export function follow(root: HTMLElement, cue: HTMLElement): void {
  if (!followBox(root).checked || searchOf(root).value.trim() !== "") return;
  const box = textOf(root);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const top = cue.offsetTop - box.clientHeight * ABOVE;
  box.scrollTo({ top, behavior: isStill ? "auto" : "smooth" });
}

class EpisodeTranscript extends HTMLElement {
  connectedCallback(): void {
    const box = textOf(this);
    const search = searchOf(this);
    find(this, ".transcript-tools", HTMLElement).hidden = false;
    this.classList.add("follows");
    for (const name of ["wheel", "touchmove", "keydown"])
      box.addEventListener(name, (event) => this.#leave(event), { passive: true });
    followBox(this).addEventListener("change", () => this.#return());
    search.addEventListener("input", () => this.#search());
    search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      findIfAny(this, ".turn:not([hidden]) .turn-time", HTMLElement)?.focus();
    });
  }

  /** Stops following once somebody scrolls, who reads elsewhere. */
  #leave(event: Event): void {
    const scrolls = !(event instanceof KeyboardEvent) || /^(?:Arrow|Page|Home|End)/.test(event.key);
    if (scrolls) followBox(this).checked = false;
  }

  #return(): void {
    const cue = findIfAny(this, ".cue[aria-current]", HTMLElement);
    if (cue) follow(this, cue);
  }

  #search(): void {
    const words = searchOf(this).value.trim().toLowerCase();
    let places = 0;
    for (const turn of findAll(this, ".turn", HTMLElement)) {
      const found = markFound(findAll(turn, ".cue", HTMLElement), words);
      turn.hidden = words !== "" && found === 0;
      places += found;
    }
    const said = words === "" ? "" : places === 1 ? "1 place" : `${places} places`;
    find(this, ".transcript-found", HTMLElement).textContent = said;
    if (words === "") this.#return();
  }
}

/** Marks the cues that the words reach into, which may begin in one and end in the next. Returns how often they stand there. */
function markFound(cues: HTMLElement[], words: string): number {
  const texts = cues.map(({ textContent }) => textContent.toLowerCase());
  const whole = texts.join(" ");
  const found: number[] = [];
  for (let at = words ? whole.indexOf(words) : -1; at >= 0; at = whole.indexOf(words, at + words.length))
    found.push(at);
  let begin = 0;
  for (const [index, cue] of cues.entries()) {
    const end = begin + (texts[index]?.length ?? 0);
    cue.classList.toggle(
      "found",
      found.some((at) => at < end && at + words.length > begin),
    );
    begin = end + 1;
  }
  return found.length;
}

customElements.define("episode-transcript", EpisodeTranscript);
