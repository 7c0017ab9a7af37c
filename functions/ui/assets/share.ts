import { copyFrom } from "./copy.ts";
import { findAll } from "./elements.ts";

/** Adds buttons that copy to the addresses of a page's "Share". */

function addCopyButton(field: HTMLInputElement | HTMLTextAreaElement): void {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "act" });
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    button.textContent = await copyFrom(field);
  });
  field.closest("label")?.after(button);
}

class SharePanel extends HTMLElement {
  connectedCallback(): void {
    // A copy in Turbo's cache has them already, but they do nothing.
    for (const button of this.querySelectorAll("button")) button.remove();
    const fields = findAll(this, "input.share-text", HTMLInputElement);
    const texts = findAll(this, "textarea.share-text", HTMLTextAreaElement);
    for (const field of [...fields, ...texts]) {
      field.addEventListener("focus", () => field.select());
      addCopyButton(field);
    }
    for (const label of findAll(this, ".share-moment", HTMLElement)) label.hidden = false;
    // Another address is not copied yet.
    this.addEventListener("change", () => {
      for (const button of this.querySelectorAll("button")) button.textContent = "Copy";
    });
  }
}

customElements.define("share-panel", SharePanel);
