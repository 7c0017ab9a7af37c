import { closest, findIfAny } from "./elements.ts";
import { reader, readerIn } from "./own-reader.ts";
import { showPlaying } from "./player/player-buttons.ts";
import "./set-order.ts";

import "./zoned-time.ts";

import { hasSelection } from "./track-selection.ts";

/** Milliseconds between looks at tracks that are being encoded. */
const LOOK_EVERY_MS = 4000;

/** Keeps the states of listed tracks current while one is being encoded. */
customElements.define(
  "own-list",
  class extends HTMLElement {
    #timer = 0;

    connectedCallback(): void {
      if (this.dataset.waits) this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    }

    disconnectedCallback(): void {
      clearInterval(this.#timer);
    }

    async #look(): Promise<void> {
      // A swap would take the focus from a button, and the ticks from boxes.
      if (document.hidden || this.contains(document.activeElement) || hasSelection()) return;
      // After the session's end each look that followed would begin a sign-in, and drop one that is under way.
      const reply = await fetch(location.href, {
        headers: { Accept: "text/html" },
        redirect: "manual",
      }).catch(() => undefined);
      if (!reply?.ok) return;
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const now = findIfAny(page, "own-list", HTMLElement);
      if (!now || !this.isConnected || readerIn(page) !== reader) return;
      this.replaceWith(document.adoptNode(now));
      showPlaying();
    }
  },
);

/** Shows the chosen picture before it is sent. One that is too large is refused without being sent. */
customElements.define(
  "picture-choice",
  class extends HTMLElement {
    #address = "";

    connectedCallback(): void {
      this.addEventListener("change", ({ target }) => {
        const field = closest(target, "input[type=file]", HTMLInputElement);
        if (!field) return;
        const file = field.files?.[0];
        const isTooLarge = file !== undefined && file.size > Number(this.dataset.maxBytes);
        field.setCustomValidity(isTooLarge ? (this.dataset.tooLarge ?? "") : "");
        field.reportValidity();
        if (!isTooLarge) this.#show(file);
      });
    }

    disconnectedCallback(): void {
      URL.revokeObjectURL(this.#address);
    }

    #show(file: File | undefined): void {
      URL.revokeObjectURL(this.#address);
      if (!file) return;
      this.#address = URL.createObjectURL(file);
      const image = new Image(160, 160);
      image.alt = "The chosen artwork";
      image.src = this.#address = "";
      // A copy in Turbo's cache would look for the address after it has ended.
      image.dataset.turboTemporary = "";
      this.firstElementChild?.replaceWith(image);
    }
  },
);
