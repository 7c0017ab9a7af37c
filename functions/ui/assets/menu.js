/** Closes the reader's menu with Escape, and when something else is pressed or has the focus. */

const openMenu = () => document.querySelector(".menu[open]");

document.addEventListener("keydown", ({ key }) => {
  const menu = key === "Escape" && openMenu();
  if (!menu) return;
  const hadFocus = menu.contains(document.activeElement);
  menu.open = false;
  if (hadFocus) menu.querySelector("summary").focus();
});

for (const event of ["pointerdown", "focusin"])
  document.addEventListener(event, ({ target }) => {
    const menu = openMenu();
    if (menu && !menu.contains(target)) menu.open = false;
  });

/** The copy of a page that Back shows has it closed. */
document.addEventListener("turbo:before-cache", () => openMenu()?.removeAttribute("open"));
