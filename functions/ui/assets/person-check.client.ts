import { find } from "./elements.ts";

const RUNNING = "Checking that you are a person takes a second or two.";
const DONE = "The check that you are a person is done.";
const FAILED = "The check that you are a person did not run. Open this page again.";

/** Workers must be of the page's own host, which serves the same files. */
const WORKER = location.origin + new URL("proof-worker.client.js", import.meta.url).pathname;

/** Solves its form's puzzle once somebody begins to fill it in. A form that is sent earlier waits for it. */
customElements.define(
  "person-check",
  class extends HTMLElement {
    #solving: Promise<void> | undefined;
    /** Not the field's value, which browsers restore for another form after Back. */
    #proof: string | undefined;

    connectedCallback(): void {
      const form = this.closest("form");
      form?.addEventListener("focusin", () => this.#begin());
      form?.addEventListener("input", () => this.#begin());
      form?.addEventListener("submit", (event) => this.#hold(event, form));
    }

    #say(words: string): void {
      find(this, "[role=status]", HTMLElement).textContent = words;
    }

    #begin(): Promise<void> {
      this.#solving ??= this.#solve();
      return this.#solving;
    }

    async #solve(): Promise<void> {
      this.#say(RUNNING);
      try {
        this.#proof = await solved(this.dataset);
        find(this, "input[name=proof]", HTMLInputElement).value = this.#proof;
        this.#say(DONE);
      } catch {
        this.#say(FAILED);
      }
    }

    #hold(event: SubmitEvent, form: HTMLFormElement): void {
      if (this.#proof !== undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const { submitter } = event;
      this.#begin().then(() => this.#proof !== undefined && form.requestSubmit(submitter));
    }
  },
);

function solved({ task, parts, bound }: DOMStringMap): Promise<string> {
  const worker = new Worker(WORKER);
  const proof = new Promise<string>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(String(data));
    worker.onerror = reject;
  });
  worker.postMessage({ task, parts: Number(parts), bound: Number(bound) });
  return proof.finally(() => worker.terminate());
}
