import { closest, find, findAll } from "./elements.ts";
import { loadLaterStyles } from "./player/later-styles.ts";

/** Milliseconds without a letter. */
const PAUSE_MS = 150;

/**
 * Suggests what begins with the text of the search field: a combobox of WAI-ARIA with a list. Enter without a chosen suggestion
 * searches as ever, also while suggestions are on their way.
 */
class SearchSuggestions extends HTMLElement {
  #timer = 0;
  #asked: AbortController | undefined;
  #input = document.createElement("input");
  readonly #list = Object.assign(document.createElement("div"), {
    id: "suggestions",
    className: "suggestions",
  });
  readonly #said = Object.assign(document.createElement("p"), { className: "sr-only" });

  connectedCallback(): void {
    const form = closest(this, "form", HTMLFormElement);
    // On another host the form is plain.
    if (!form || new URL(form.action).origin !== location.origin) return;
    // A copy in Turbo's cache has them already, but they do nothing.
    for (const old of this.querySelectorAll(".suggestions, .sr-only[role]")) old.remove();
    this.#input = find(this, "input", HTMLInputElement);
    this.#input.autocomplete = "off";
    for (const [name, value] of Object.entries(COMBOBOX)) this.#input.setAttribute(name, value);
    this.#list.setAttribute("role", "listbox");
    this.#list.setAttribute("aria-label", "Suggestions");
    this.#said.setAttribute("role", "status");
    this.append(this.#list, this.#said);
    this.#close();
    this.#input.addEventListener("input", () => this.#type());
    this.#input.addEventListener("keydown", (event) => this.#press(event));
    this.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.#close();
    });
    // The focus stays in the field.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.addEventListener("click", () => this.#close());
    form.addEventListener("submit", () => this.#close());
    // The script may come after the first letters.
    if (document.activeElement === this.#input && this.#input.value !== this.#input.defaultValue)
      this.#type();
  }

  disconnectedCallback(): void {
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
  }

  #type(): void {
    this.#stop();
    const text = this.#input.value.trim();
    if (text === "") this.#close();
    else this.#timer = window.setTimeout(() => this.#ask(text), PAUSE_MS);
  }

  async #ask(text: string): Promise<void> {
    const asked = new AbortController();
    this.#asked = asked;
    const reply = await fetch(`/search/suggestions?${new URLSearchParams({ q: text })}`, {
      signal: asked.signal,
    }).catch(() => undefined);
    const options = reply?.ok ? await reply.text().catch(() => "") : "";
    await loadLaterStyles();
    if (!asked.signal.aborted) this.#show(options);
  }

  #show(options: string): void {
    this.#list.replaceChildren(document.createRange().createContextualFragment(options));
    const count = this.#options.length;
    if (count === 0) {
      this.#close();
      return;
    }
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
    this.#choose(undefined);
    this.#said.textContent = count === 1 ? "1 suggestion" : `${count} suggestions`;
  }

  #close(): void {
    this.#stop();
    this.#list.hidden = true;
    this.#list.replaceChildren();
    this.#said.textContent = "";
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
  }

  get #options(): HTMLAnchorElement[] {
    return findAll(this.#list, "[role=option]", HTMLAnchorElement);
  }

  #choose(chosen: HTMLAnchorElement | undefined): void {
    for (const option of this.#options) option.setAttribute("aria-selected", String(option === chosen));
    if (chosen) this.#input.setAttribute("aria-activedescendant", chosen.id);
    else this.#input.removeAttribute("aria-activedescendant");
    chosen?.scrollIntoView({ block: "nearest" });
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing || this.#list.hidden) return;
    const options = this.#options;
    const at = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        // Beyond either end is the field itself.
        const step = event.key === "ArrowDown" ? 1 : -1;
        const places = options.length + 1;
        this.#choose(options[((at + 1 + step + places) % places) - 1]);
        break;
      }
      case "Enter":
        if (at < 0) {
          this.#close();
          return;
        }
        options[at]?.click();
        break;
      case "Escape":
        // Again, the browser clears the field.
        this.#close();
        break;
      default:
        return;
    }
    event.preventDefault();
  }
}

const COMBOBOX = { role: "combobox", "aria-autocomplete": "list", "aria-controls": "suggestions" };

customElements.define("search-suggestions", SearchSuggestions);
