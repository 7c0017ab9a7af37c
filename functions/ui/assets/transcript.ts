import { closest, find, findAll, findIfAny } from "./elements.ts";
import { pageAt } from "./page-at.ts";

/**
 * The transcript of a track: follows the sound until somebody scrolls it, and finds words. The page may hold its beginning only.
 * Dispatches "whole" once the rest has come.
 */

/** The share of its height that is above the present words. */
const ABOVE = 0.3;

/** Milliseconds before the sound gets to words that are not there yet. */
const AHEAD_MS = 10_000;

const followBox = (root: ParentNode) => find(root, ".transcript-follow input", HTMLInputElement);
const textOf = (root: ParentNode) => find(root, ".transcript-text", HTMLElement);
const searchOf = (root: ParentNode) => find(root, "[type=search]", HTMLInputElement);
/** Leads to a page with all words, from one with the beginning. */
const linkOf = (root: ParentNode) => findIfAny(root, ".transcript-whole", HTMLAnchorElement);

/** Scrolls the words that have just begun into sight. */
export function follow(root: HTMLElement, cue: HTMLElement): void {
  if (!followBox(root).checked || searchOf(root).value.trim() !== "") return;
  const box = textOf(root);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const top = cue.offsetTop - box.clientHeight * ABOVE;
  box.scrollTo({ top, behavior: isStill ? "auto" : "smooth" });
}

/** Hears where the sound is. */
export function reach(root: HTMLElement, ms: number): void {
  if (root instanceof EpisodeTranscript) root.reach(ms);
}

class EpisodeTranscript extends HTMLElement {
  /** Resolves once the rest has come, or has not. */
  #coming: Promise<void> | undefined;
  /** The sound asks once, and a press or a search asks again. */
  #isReached = false;

  connectedCallback(): void {
    const box = textOf(this);
    const search = searchOf(this);
    find(this, ".transcript-tools", HTMLElement).hidden = false;
    this.classList.add("follows");
    for (const name of ["wheel", "touchmove", "keydown"])
      box.addEventListener(name, (event) => this.#leave(event), { passive: true });
    this.addEventListener("click", (event) => this.#press(event));
    followBox(this).addEventListener("change", () => this.#return());
    search.addEventListener("input", () => this.#searchAll());
    search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      findIfAny(this, ".turn:not([hidden]) .turn-time", HTMLElement)?.focus();
    });
  }

  reach(ms: number): void {
    const from = linkOf(this)?.dataset.from;
    if (from === undefined || ms === 0 || ms < Number(from) - AHEAD_MS || this.#isReached) return;
    this.#isReached = true;
    this.#complete();
  }

  #press(event: MouseEvent): void {
    const link = closest(event.target, ".transcript-whole", HTMLAnchorElement);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#complete();
  }

  /** Fetches the rest, if the page does not hold it. */
  async #complete(): Promise<void> {
    const link = linkOf(this);
    if (!link) return;
    this.#coming ??= this.#fetchRest(link);
    await this.#coming;
    this.#coming = undefined;
  }

  async #fetchRest(link: HTMLAnchorElement): Promise<void> {
    this.#say("Loading …");
    const page = await pageAt(link.href).catch(() => undefined);
    const turns = page ? findAll(page, "episode-transcript .turn", HTMLElement) : [];
    const rest = turns.slice(findAll(this, ".turn", HTMLElement).length);
    const [first] = rest;
    if (!first) return this.#say("The rest could not be loaded.");
    textOf(this).append(...rest);
    if (link === document.activeElement) find(first, ".turn-time", HTMLElement).focus();
    link.parentElement?.remove();
    this.#say("");
    this.dispatchEvent(new Event("whole", { bubbles: true }));
  }

  #say(text: string): void {
    find(this, ".transcript-found", HTMLElement).textContent = text;
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

  async #searchAll(): Promise<void> {
    if (searchOf(this).value.trim() !== "") await this.#complete();
    this.#search();
  }

  #search(): void {
    const words = searchOf(this).value.trim().toLowerCase();
    let places = 0;
    for (const turn of findAll(this, ".turn", HTMLElement)) {
      const found = markFound(findAll(turn, ".cue", HTMLElement), words);
      turn.hidden = words !== "" && found === 0;
      places += found;
    }
    const where = linkOf(this) ? " in the part that is loaded" : "";
    this.#say(words === "" ? "" : `${places} ${places === 1 ? "place" : "places"}${where}`);
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
