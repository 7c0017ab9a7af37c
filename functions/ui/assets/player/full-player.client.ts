import { closest, find, findAll, findIfAny } from "../elements.ts";

/**
 * Opens the player over the whole window, which Escape, Back, a button and a swipe close. While it is open, the
 * history has one more entry for the page.
 */

/** Pixels, after which a swipe closes it. */
const SWIPE_PX = 90;

interface Given {
  /** Shows a page in place of the entry of the history. */
  visit(address: string): void;
  /** Calls what is given before Turbo hears of Back. */
  hearBack(hear: (event: PopStateEvent) => void): void;
}

interface Marked {
  isPlayerOpen?: boolean;
}

const isMarked = (state: Marked | null) => state?.isPlayerOpen === true;

let listens = false;
/** Runs once the entry of the history is gone. */
let afterwards: (() => void) | undefined;
/** Swapping pages moves the dialog, which then is modal no more: it closes for as long as that takes. */
let returns = false;
let isUnheard = false;

export function openFull(dialog: HTMLDialogElement, given: Given): void {
  if (dialog.open) return;
  if (!listens) listen(dialog, given);
  listens = true;
  dialog.showModal();
  find(dialog, ".deck-toggle", HTMLElement).focus();
  history.pushState({ ...history.state, isPlayerOpen: true }, "");
}

function listen(dialog: HTMLDialogElement, { visit, hearBack }: Given): void {
  hearBack((event) => {
    const isOurs = afterwards !== undefined || (dialog.open && !isMarked(event.state));
    if (!isOurs) return;
    event.stopImmediatePropagation();
    afterwards?.();
    afterwards = undefined;
    closeSheets();
    dialog.close();
  });
  dialog.addEventListener("close", () => {
    if (!isUnheard && isMarked(history.state)) leaveEntry();
    isUnheard = false;
  });
  find(dialog, ".full-close", HTMLElement).addEventListener("click", () => dialog.close());
  // Links of the sheets over it are its own.
  dialog.parentElement?.addEventListener("click", (event) => {
    const link = closest(event.target, "a[href]", HTMLAnchorElement);
    if (!dialog.open || !link || link.dataset.turbo === "false") return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    follow(dialog, link, visit);
  });
  document.addEventListener("turbo:before-render", () => {
    if (!dialog.open) return;
    returns = true;
    isUnheard = true;
    dialog.close();
  });
  document.addEventListener("turbo:render", () => {
    if (!returns) return;
    returns = false;
    dialog.showModal();
    history.replaceState({ ...history.state, isPlayerOpen: true }, "");
  });
  openSwipe(dialog);
}

function closeSheets(): void {
  for (const sheet of findAll(document, "dialog.sheet:modal", HTMLDialogElement)) sheet.close();
}

/** Takes the entry of the open player off the history. */
function leaveEntry(then = () => {}): void {
  afterwards = then;
  history.back();
}

/** A link leaves no entry of the open player behind. */
function follow(
  dialog: HTMLDialogElement,
  { href, pathname, hash }: HTMLAnchorElement,
  visit: Given["visit"],
): void {
  const isHere = pathname === location.pathname;
  // The visit replaces the entry.
  if (!isHere) history.replaceState({ ...history.state, isPlayerOpen: false }, "");
  closeSheets();
  dialog.close();
  if (!isHere) visit(href);
  else if (hash) findIfAny(document, hash, HTMLElement)?.scrollIntoView();
}

/** A finger that moves down from the picture or the head takes the player along. */
function openSwipe(dialog: HTMLDialogElement): void {
  let from: number | undefined;
  const pull = (pixels: number) => {
    dialog.style.translate = pixels > 0 ? `0 ${pixels}px` : "";
  };
  dialog.addEventListener("pointerdown", ({ target, clientY, isPrimary, pointerType }) => {
    const isHandle =
      closest(target, ".full-top, .full-cover", HTMLElement) && !closest(target, "button", HTMLElement);
    from = isHandle && isPrimary && pointerType !== "mouse" ? clientY : undefined;
  });
  dialog.addEventListener("pointermove", ({ clientY }) => from !== undefined && pull(clientY - from));
  for (const name of ["pointerup", "pointercancel"] as const)
    dialog.addEventListener(name, ({ clientY }) => {
      if (from === undefined) return;
      const isFar = clientY - from > SWIPE_PX;
      from = undefined;
      pull(0);
      if (name === "pointerup" && isFar) dialog.close();
    });
}
