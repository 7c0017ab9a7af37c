import { copyFrom } from "./copy.js";

/** Adds buttons that copy to the addresses of a page's "Share". */

function addCopyButton(field) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "act" });
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    button.textContent = await copyFrom(field);
  });
  field.closest("label").after(button);
}

class SharePanel extends HTMLElement {
  connectedCallback() {
    // A copy in Turbo's cache has them already, but they do nothing.
    for (const button of this.querySelectorAll("button")) button.remove();
    for (const field of this.querySelectorAll(".share-text")) {
      field.addEventListener("focus", () => field.select());
      addCopyButton(field);
    }
    for (const label of this.querySelectorAll(".share-moment")) label.hidden = false;
    // Another address is not copied yet.
    this.addEventListener("change", () => {
      for (const button of this.querySelectorAll("button")) button.textContent = "Copy";
    });
  }
}

customElements.define("share-panel", SharePanel);
