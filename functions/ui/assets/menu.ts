import { closest, find, findIfAny } from "./elements.ts";
import { reader } from "./own-reader.ts";

/** Menus close with Escape, and when something else is pressed or has the focus. Share closes with Escape alone. */

const openMenu = () => findIfAny(document, ":is(.menu, .more)[open]", HTMLDetailsElement);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = openMenu() ?? closest(document.activeElement, ".share[open]", HTMLDetailsElement);
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

/**
 * The menus of rows and the dialog of "Add to set" have scripts of their own, which come when one is first pointed at or
 * pressed. Without them a menu opens within its row, and the link leads to its page.
 */
const rowMenus = () => import("./row-menu.ts");
const setDialog = () => import("./add-to-set.ts");

const ADD_TO_SET = "a[data-add-to-set]";

for (const event of ["pointerover", "focusin"])
  document.addEventListener(event, ({ target }) => {
    if (closest(target, ".more", HTMLElement)) rowMenus().catch(() => {});
    if (closest(target, ADD_TO_SET, HTMLElement)) setDialog().catch(() => {});
  });

document.addEventListener("click", (event) => {
  const button = closest(event.target, ".more > summary", HTMLElement);
  const menu = closest(button, ".more", HTMLDetailsElement);
  if (!button || !menu || menu.open) return;
  event.preventDefault();
  const isByKey = button.matches(":focus-visible");
  rowMenus().then(
    ({ openMenuOf }) => openMenuOf(menu, isByKey),
    () => {
      menu.open = true;
    },
  );
});

document.addEventListener("click", (event) => {
  const link = closest(event.target, ADD_TO_SET, HTMLAnchorElement);
  const isForAnother = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  // Visitors sign in first.
  if (!link || isForAnother || event.defaultPrevented || reader === undefined) return;
  event.preventDefault();
  setDialog().then(
    ({ addToSet }) => addToSet(link),
    () => location.assign(link.href),
  );
});
