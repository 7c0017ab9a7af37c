import * as Turbo from "@hotwired/turbo";
import { findIfAny } from "./elements.ts";

/** Looks at growing intervals, and shows the page anew when the state of its track has changed. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;

class WaitingPart extends HTMLElement {
  #timer = 0;

  connectedCallback(): void {
    this.#wait(FIRST_WAIT_MS);
  }

  disconnectedCallback(): void {
    clearTimeout(this.#timer);
  }

  #wait(waitMs: number): void {
    this.#timer = setTimeout(async () => {
      // A hidden page does not poll.
      const isOver = !document.hidden && !(await this.#isStillWaiting());
      if (!this.isConnected) return;
      if (isOver) Turbo.visit(location.href, { action: "replace" });
      else this.#wait(Math.min(waitMs * 1.3, LONGEST_WAIT_MS));
    }, waitMs);
  }

  async #isStillWaiting(): Promise<boolean> {
    try {
      const reply = await fetch(location.href, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      // Only a track that is gone has no page. A service that is busy has one soon.
      const isThere = reply.ok || reply.status === 404;
      return !isThere || stateIn(page) === stateIn(document);
    } catch {
      return true;
    }
  }
}

const stateIn = (page: Document) => findIfAny(page, "waiting-part", HTMLElement)?.dataset.state;

customElements.define("waiting-part", WaitingPart);
