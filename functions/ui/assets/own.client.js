import { reader, readerIn } from "./own-reader.js";
import { markButtons } from "./player-buttons.js";
import "./set-order.js";

/** Milliseconds between looks at tracks that are being encoded. */
const LOOK_EVERY_MS = 4000;

/** Keeps the states of listed tracks current while one is being encoded. */
customElements.define(
  "own-list",
  class extends HTMLElement {
    #timer;

    connectedCallback() {
      if (this.dataset.waits) this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    }

    disconnectedCallback() {
      clearInterval(this.#timer);
    }

    async #look() {
      // A swap would take the focus from a button.
      if (document.hidden || this.contains(document.activeElement)) return;
      // After the session's end each look that followed would begin a sign-in, and drop one that is under way.
      const reply = await fetch(location.href, {
        headers: { Accept: "text/html" },
        redirect: "manual",
      }).catch(() => undefined);
      if (!reply?.ok) return;
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const now = page.querySelector("own-list");
      if (!now || !this.isConnected || readerIn(page) !== reader) return;
      this.replaceWith(document.adoptNode(now));
      markButtons();
    }
  },
);

/** Shows the chosen picture before it is sent. One that is too large is refused without being sent. */
customElements.define(
  "picture-choice",
  class extends HTMLElement {
    #address;

    connectedCallback() {
      this.addEventListener("change", ({ target }) => {
        if (target.type !== "file") return;
        const [file] = target.files;
        const isTooLarge = file?.size > Number(this.dataset.maxBytes);
        target.setCustomValidity(isTooLarge ? this.dataset.tooLarge : "");
        target.reportValidity();
        if (!isTooLarge) this.#show(file);
      });
    }

    disconnectedCallback() {
      URL.revokeObjectURL(this.#address);
    }

    #show(file) {
      URL.revokeObjectURL(this.#address);
      if (!file) return;
      this.#address = URL.createObjectURL(file);
      const image = new Image(160, 160);
      image.alt = "The chosen artwork";
      image.src = this.#address;
      // A copy in Turbo's cache would look for the address after it has ended.
      image.dataset.turboTemporary = "";
      this.firstElementChild.replaceWith(image);
    }
  },
);
