import * as Turbo from "@hotwired/turbo";

/** Moves tracks of a set in place, by button or by dragging their handle, and saves each move. */
class SetOrder extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => this.#press(event));
    this.addEventListener("pointerdown", (event) => this.#grab(event));
  }

  get #list() {
    return this.querySelector("ol");
  }

  #press(event) {
    const button = event.target.closest("button[name=move]");
    if (!button) return;
    event.preventDefault();
    const item = button.closest("li");
    const [how] = button.value.split(" ");
    if (how === "top") this.#list.prepend(item);
    if (how === "up") item.previousElementSibling?.before(item);
    if (how === "down") item.nextElementSibling?.after(item);
    this.#save(item);
    // A button at the end of its way is disabled, and a moved one loses the focus. "Top" would undo all steps.
    (button.disabled ? item.querySelector(`[value^="${how === "down" ? "up" : "down"} "]`) : button).focus();
  }

  #grab(event) {
    const handle = event.target.closest(".handle");
    if (!handle || event.button !== 0) return;
    event.preventDefault();
    const item = handle.closest("li");
    const before = this.#order();
    item.classList.add("dragged");
    // The handle would lose the pointer whenever its item moves.
    const list = this.#list;
    list.setPointerCapture(event.pointerId);
    const move = ({ clientY }) => this.#moveTo(item, clientY);
    const end = () => {
      item.classList.remove("dragged");
      list.removeEventListener("pointermove", move);
      if (this.#order() !== before) this.#save(item);
    };
    list.addEventListener("pointermove", move);
    list.addEventListener("lostpointercapture", end, { once: true });
  }

  /** Puts the item where the pointer is. */
  #moveTo(item, y) {
    const others = [...this.#list.children].filter((each) => each !== item);
    const next = others.find((each) => {
      const { top, height } = each.getBoundingClientRect();
      return y < top + height / 2;
    });
    if ((next ?? null) !== item.nextElementSibling) this.#list.insertBefore(item, next ?? null);
  }

  #order() {
    return [...this.#list.children].map((item) => item.dataset.id).join(",");
  }

  async #save(item) {
    const items = [...this.#list.children];
    for (const [at, each] of items.entries()) {
      for (const button of each.querySelectorAll("button[name=move]"))
        button.disabled = button.value.startsWith("down ") ? at === items.length - 1 : at === 0;
    }
    const form = this.querySelector("form");
    form.elements.order.value = this.#order();
    const place = `${item.dataset.title} is number ${items.indexOf(item) + 1} of ${items.length}.`;
    this.querySelector("[role=status]").textContent = place;
    this.#sent = (this.#sent ?? Promise.resolve()).then(() => this.#send(form));
  }

  /** One after the other, so that the last move is saved last. */
  #sent;

  async #send(form) {
    const body = new URLSearchParams(new FormData(form));
    const saved = await fetch(form.action, { method: "POST", body, redirect: "manual" })
      .then((reply) => (reply.ok ? reply.json() : undefined))
      .catch(() => undefined);
    if (saved) form.elements.was.value = body.get("order");
    // Back would show the set's page in the old order.
    Turbo.cache.clear();
    const version = document.querySelector("input[name=version]");
    // Another window's change stays noticed when the fields are saved. Its tracks may be others, too.
    if (saved && version?.value === saved.was) version.value = saved.now;
    else
      this.querySelector("[role=status]").textContent = saved
        ? "The set was changed in another window. Reload the page to see its tracks."
        : "The order is not saved. Reload the page and try again.";
  }
}

customElements.define("set-order", SetOrder);
