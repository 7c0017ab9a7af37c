import { closest, find, findAll } from "../elements.ts";
import { loadLaterStyles } from "./later-styles.ts";

/** The windows of the bar: sheets over a phone, beside the page elsewhere. */

/** The width of the phone's bar. */
const PHONE = "(max-width: 48rem)";

const isModal = (dialog: HTMLDialogElement) => dialog.matches(":modal");

/** Calls `fill` before a sheet is shown. */
export function openSheets(bar: HTMLElement, fill: (sheet: HTMLDialogElement) => unknown): void {
  const sheets = findAll(bar, "dialog.sheet", HTMLDialogElement);
  const buttonsOf = ({ id }: HTMLDialogElement) => findAll(bar, `[aria-controls="${id}"]`, HTMLElement);

  function show(sheet: HTMLDialogElement, button: HTMLElement): void {
    fill(sheet);
    if (matchMedia(PHONE).matches || button.closest("dialog")) sheet.showModal();
    else {
      for (const other of sheets) if (other !== sheet) other.close();
      sheet.show();
    }
    for (const one of buttonsOf(sheet)) one.setAttribute("aria-expanded", "true");
  }

  for (const sheet of sheets) {
    for (const button of buttonsOf(sheet))
      button.addEventListener("click", async () => {
        await loadLaterStyles();
        if (sheet.open) sheet.close();
        else show(sheet, button);
      });
    sheet.addEventListener("close", () => {
      for (const one of buttonsOf(sheet)) one.setAttribute("aria-expanded", "false");
    });
    find(sheet, ".sheet-close", HTMLElement).addEventListener("click", () => sheet.close());
    // A press beside it meets the dialog itself.
    sheet.addEventListener("pointerdown", (event) => {
      const { left, right, top, bottom } = sheet.getBoundingClientRect();
      const { clientX: x, clientY: y } = event;
      if (event.target === sheet && (x < left || x > right || y < top || y > bottom)) sheet.close();
    });
  }
  // Modal ones close by themselves.
  bar.addEventListener("keydown", ({ key, target }) => {
    if (key !== "Escape" || closest(target, "dialog:modal", HTMLElement)) return;
    for (const sheet of sheets) if (sheet.open) sheet.close();
  });
  // Swapping pages moves the bar, and a dialog that was moved is modal no more.
  document.addEventListener("turbo:before-render", () => {
    for (const sheet of sheets) if (sheet.open && isModal(sheet)) sheet.close();
  });
  // Settings are left once something else is pressed. The queue stays beside the page.
  document.addEventListener("pointerdown", ({ target }) => {
    for (const sheet of sheets)
      if (sheet.id === "deck-settings" && sheet.open && !isModal(sheet) && target instanceof Element)
        if (!sheet.contains(target) && !target.closest(`[aria-controls="${sheet.id}"]`)) sheet.close();
  });
}
