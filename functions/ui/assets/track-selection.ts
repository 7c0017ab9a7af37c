import { find, findAll, findIfAny } from "./elements.ts";

/** Counts the selected tracks of the list, and selects all of the page at once. */
class TrackSelection extends HTMLElement {
  #end = new AbortController();

  connectedCallback(): void {
    this.#part("all").hidden = false;
    this.#part("without-script").hidden = true;
    this.#end = new AbortController();
    const { signal } = this.#end;
    this.#all.addEventListener("change", () => this.#selectAll(), { signal });
    // The boxes stand in the rows. A page that comes back may have some ticked.
    document.addEventListener("change", () => this.#count(), { signal });
    window.addEventListener("pageshow", () => this.#count(), { signal });
    this.#count();
  }

  disconnectedCallback(): void {
    this.#end.abort();
  }

  #part = (name: string) => find(this, `[data-selection="${name}"]`, HTMLElement);

  get #all(): HTMLInputElement {
    return find(this.#part("all"), "input", HTMLInputElement);
  }

  #selectAll(): void {
    for (const box of boxes()) box.checked = this.#all.checked;
    this.#count();
  }

  #count(): void {
    const all = boxes();
    const selected = all.filter(({ checked }) => checked).length;
    this.#all.checked = selected > 0 && selected === all.length;
    this.#all.indeterminate = selected > 0 && selected < all.length;
    const text = selected ? `${selected} ${selected === 1 ? "track" : "tracks"} selected` : "";
    const place = this.#part("count");
    if (place.textContent !== text) place.textContent = text;
  }
}

const boxes = () => findAll(document, "input[name=track][form=selection]", HTMLInputElement);

/** Whether rows that are swapped would lose ticks. */
export const hasSelection = (): boolean =>
  Boolean(findIfAny(document, "input[name=track][form=selection]:checked", HTMLInputElement));

customElements.define("track-selection", TrackSelection);
