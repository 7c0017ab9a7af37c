import { find, findIfAny } from "./elements.ts";

/** Closes the reader's menu with Escape, and when something else is pressed or has the focus. */

const openMenu = () => findIfAny(document, ".menu[open]", HTMLDetailsElement);

document.addEventListener("keydown", ({ key }) => {
  const menu = key === "Escape" && openMenu();
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
