import * as Turbo from "@hotwired/turbo";
import { closest, find, findAll, findIfAny } from "./elements.ts";

/** Moves tracks of a set in place, by button or by dragging their handle, and saves each move. */
class SetOrder extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener("click", (event) => this.#press(event));
    this.addEventListener("pointerdown", (event) => this.#grab(event));
  }

  get #list(): HTMLElement {
    return find(this, "ol", HTMLElement);
  }

  get #items(): HTMLElement[] {
    return findAll(this, "ol > li", HTMLElement);
  }

  #press(event: Event): void {
    const button = closest(event.target, "button[name=move]", HTMLButtonElement);
    const item = button?.closest("li");
    if (!button || !item) return;
    event.preventDefault();
    const [how] = button.value.split(" ");
    if (how === "top") this.#list.prepend(item);
    if (how === "up") item.previousElementSibling?.before(item);
    if (how === "down") item.nextElementSibling?.after(item);
    this.#save(item);
    // A button at the end of its way is disabled, and a moved one loses the focus. "Top" would undo all steps.
    const back = `[value^="${how === "down" ? "up" : "down"} "]`;
    (button.disabled ? find(item, back, HTMLButtonElement) : button).focus();
  }

  #grab(event: PointerEvent): void {
    const item = closest(event.target, ".handle", HTMLElement)?.closest("li");
    if (!item || event.button !== 0) return;
    event.preventDefault();
    const before = this.#order();
    item.classList.add("dragged");
    // The handle would lose the pointer whenever its item moves.
    const list = this.#list;
    list.setPointerCapture(event.pointerId);
    const move = ({ clientY }: PointerEvent) => this.#moveTo(item, clientY);
    const end = () => {
      item.classList.remove("dragged");
      list.removeEventListener("pointermove", move);
      if (this.#order() !== before) this.#save(item);
    };
    list.addEventListener("pointermove", move);
    list.addEventListener("lostpointercapture", end, { once: true });
  }

  /** Puts the item where the pointer is. */
  #moveTo(item: HTMLElement, y: number): void {
    const others = this.#items.filter((each) => each !== item);
    const next = others.find((each) => {
      const { top, height } = each.getBoundingClientRect();
      return y < top + height / 2;
    });
    if ((next ?? null) !== item.nextElementSibling) this.#list.insertBefore(item, next ?? null);
  }

  #order = () => this.#items.map((item) => item.dataset.id).join(",");

  #save(item: HTMLElement): void {
    const items = this.#items;
    for (const [at, each] of items.entries()) {
      for (const button of findAll(each, "button[name=move]", HTMLButtonElement))
        button.disabled = button.value.startsWith("down ") ? at === items.length - 1 : at === 0;
    }
    const form = find(this, "form", HTMLFormElement);
    find(form, "[name=order]", HTMLInputElement).value = this.#order();
    this.#say(`${item.dataset.title} is number ${items.indexOf(item) + 1} of ${items.length}.`);
    this.#sent = this.#sent.then(() => this.#send(form));
  }

  #say(text: string): void {
    find(this, "[role=status]", HTMLElement).textContent = text;
  }

  /** One after the other, so that the last move is saved last. */
  #sent = Promise.resolve();

  async #send(form: HTMLFormElement): Promise<void> {
    const order = find(form, "[name=order]", HTMLInputElement).value;
    const saved = await save(form);
    if (saved) find(form, "[name=was]", HTMLInputElement).value = order;
    // Back would show the set's page in the old order.
    Turbo.cache.clear();
    const version = findIfAny(document, "input[name=version]", HTMLInputElement);
    // Another window's change stays noticed when the fields are saved. Its tracks may be others, too.
    if (saved && version?.value === saved.was) version.value = saved.now;
    else
      this.#say(
        saved
          ? "The set was changed in another window. Reload the page to see its tracks."
          : "The order is not saved. Reload the page and try again.",
      );
  }
}

/** Versions of the set before and after. */
interface Saved {
  was: string;
  now: string;
}

async function save(form: HTMLFormElement): Promise<Saved | undefined> {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return fetch(form.action, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" })
    .then((reply) => (reply.ok ? reply.json() : undefined))
    .catch(() => undefined);
}

customElements.define("set-order", SetOrder);
