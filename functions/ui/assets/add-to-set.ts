import * as Turbo from "@hotwired/turbo";
import { closest, findIfAny } from "./elements.ts";
import { loadStyle } from "./player/later-styles.ts";

/** "Add to set" in a dialog: the list of its page, whose forms then show it anew within the dialog. */

const FRAME = "add-to-set";
const dialogIn = (page: ParentNode) => findIfAny(page, "dialog.add-to-set", HTMLDialogElement);

/** Shows the page that the link leads to. */
export function addToSet(link: HTMLAnchorElement): void {
  // The dialog gives the focus back to the button of the menu, because the link is hidden then.
  const menu = link.closest("details");
  if (menu) {
    menu.open = false;
    findIfAny(menu, "summary", HTMLElement)?.focus({ preventScroll: true });
  }
  const dialog = document.createElement("dialog");
  dialog.className = "add-to-set";
  dialog.ariaLabel = "Add to a set";
  const close = Object.assign(document.createElement("button"), {
    type: "button",
    className: "close",
    textContent: "×",
  });
  close.ariaLabel = "Close";
  close.addEventListener("click", () => dialog.close());
  const frame = document.createElement("turbo-frame");
  frame.id = FRAME;
  frame.className = "own";
  frame.setAttribute("src", link.href);
  dialog.append(frame, close);
  dialog.addEventListener("close", () => dialog.remove());
  // Pressed beside the dialog, on its backdrop.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.body.append(dialog);
  loadStyle("own.css").then(() => dialog.showModal());
}

/** The page itself says better what is wrong: it leads to the sign-in, or tells why there is no such track. */
function leave(frame: Element): void {
  const src = frame.getAttribute("src");
  dialogIn(document)?.close();
  if (src) Turbo.visit(src);
}

const frameIn = (target: EventTarget | null) => closest(target, `dialog.add-to-set > #${FRAME}`, HTMLElement);

/** Beside the list, because screen readers hear nothing outside the dialog. It goes with the next list. */
function tell(frame: HTMLElement, text: string): void {
  const said = Object.assign(document.createElement("p"), { className: "problem", textContent: text });
  said.role = "alert";
  frame.querySelector("[role=alert]")?.remove();
  frame.prepend(said);
}

document.addEventListener("turbo:frame-missing", async (event) => {
  const frame = frameIn(event.target);
  if (!frame) return;
  event.preventDefault();
  const { response } = event.detail;
  if (response.ok || response.status === 404) return leave(frame);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  tell(frame, findIfAny(page, "main .message p", HTMLElement)?.textContent ?? "That did not work.");
});

document.addEventListener("turbo:fetch-request-error", ({ target }) => {
  const frame = frameIn(target);
  if (!frame) return;
  // The list itself: its page says why, or leads to the sign-in on another host.
  if (target === frame) leave(frame);
  else tell(frame, "The service could not be reached. Check your connection and try again.");
});

document.addEventListener("turbo:frame-load", ({ target }) => {
  const frame = frameIn(target);
  const dialog = frame?.parentElement;
  if (!frame || !dialog) return;
  const { activeElement } = document;
  if (activeElement === dialog || activeElement?.matches(".close") || activeElement === document.body)
    findIfAny(frame, ".act-form button, input:not([type=hidden])", HTMLElement)?.focus();
});

document.addEventListener("turbo:before-cache", () => dialogIn(document)?.remove());
