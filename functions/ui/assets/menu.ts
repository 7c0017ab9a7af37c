import { closest, find, findIfAny } from "./elements.ts";

/** Menus close with Escape, and when something else is pressed or has the focus. */

const openMenu = () => findIfAny(document, ":is(.menu, .more)[open]", HTMLDetailsElement);

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && openMenu();
  if (!menu) return;
  const hadFocus = menu.contains(document.activeElement);
  menu.open = false;
  if (hadFocus) find(menu, "summary", HTMLElement).focus();
});

for (const event of ["pointerdown", "focusin"])
  document.addEventListener(event, ({ target }) => {
    const menu = openMenu();
    if (menu && target instanceof Node && !menu.contains(target)) menu.open = false;
  });

/** The copy of a page that Back shows has it closed. */
document.addEventListener("turbo:before-cache", () => openMenu()?.removeAttribute("open"));

/** Menus of rows, and the dialog of "Add to set", come with a script of their own when one is first pointed at. */
for (const event of ["pointerover", "focusin"])
  document.addEventListener(event, ({ target }) => {
    if (closest(target, ".more, [data-add-to-set]", HTMLElement)) import("./row-menu.ts").catch(() => {});
  });
