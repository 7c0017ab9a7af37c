import { copy, copyFrom } from "./copy.ts";
import { find } from "./elements.ts";

/** Adds a button that copies the text. Screen readers say what stands beside it after a press. */
class CopyText extends HTMLElement {
  connectedCallback(): void {
    // A copy in Turbo's cache has them already, but they do nothing.
    this.querySelector(".copying")?.remove();
    const text = find(this, "code, input", HTMLElement);
    const row = Object.assign(document.createElement("p"), { className: "copying" });
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      className: "button quiet",
      textContent: "Copy",
    });
    const outcome = document.createElement("output");
    button.addEventListener("click", async () => {
      // Copying twice is said twice.
      outcome.textContent = "";
      outcome.textContent = await copyOf(text);
    });
    row.append(button, " ", outcome);
    this.append(row);
  }
}

function copyOf(text: HTMLElement): Promise<string> {
  if (text instanceof HTMLInputElement) return copyFrom(text);
  getSelection()?.selectAllChildren(text);
  return copy(text.textContent);
}

customElements.define("copy-text", CopyText);
