import { closest, find, findAll, findIfAny } from "./elements.ts";

/** Menus of rows, "…": shown above everything beside their button, or as a sheet on a phone, and walked by arrow keys. */

const menuOf = (target: EventTarget | null) => closest(target, ".more", HTMLDetailsElement);
const panelOf = (menu: HTMLElement) => find(menu, "ul", HTMLElement);
const itemsOf = (menu: HTMLElement) => findAll(menu, "li > :is(a, button)", HTMLElement);

/** Opens before the browser would, so that the panel is never painted within its row. */
export function openMenuOf(menu: HTMLDetailsElement, isByKey: boolean): void {
  const panel = panelOf(menu);
  complete(menu, panel);
  menu.open = true;
  panel.popover = "manual";
  panel.showPopover();
  place(menu);
  if (isByKey) itemsOf(menu)[0]?.focus();
}

// It does not bubble.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.matches(".more") || target.open) return;
    const panel = panelOf(target);
    if (panel.matches(":popover-open")) panel.hidePopover();
  },
  true,
);

function close(menu: HTMLDetailsElement): void {
  const hadFocus = menu.contains(document.activeElement);
  menu.open = false;
  if (hadFocus) find(menu, "summary", HTMLElement).focus({ preventScroll: true });
}

/** Pixels between the panel and the button, and the window's edges. */
const GAP = 4;
const EDGE = 8;

/** Below the button and along its end, or where the window has room. */
function place(menu: HTMLDetailsElement): void {
  const panel = panelOf(menu);
  const button = find(menu, "summary", HTMLElement).getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const isRightToLeft = getComputedStyle(menu).direction === "rtl";
  const x = isRightToLeft ? button.left : button.right - width;
  const below = button.bottom + GAP;
  const y = below + height + EDGE > innerHeight ? button.top - GAP - height : below;
  const between = (at: number, room: number) => Math.max(EDGE, Math.min(at, room - EDGE));
  panel.style.setProperty("--x", `${between(x, innerWidth - width)}px`);
  panel.style.setProperty("--y", `${between(y, innerHeight - height)}px`);
}

for (const name of ["scroll", "resize"])
  addEventListener(
    name,
    () => {
      const menu = findIfAny(document, ".more[open]", HTMLDetailsElement);
      if (menu) place(menu);
    },
    { capture: true, passive: true },
  );

/** Adds what needs the script: the queue, where the row can be played, and sharing. */
function complete(menu: HTMLDetailsElement, panel: HTMLElement): void {
  for (const added of findAll(panel, "[data-added]", HTMLElement)) added.remove();
  const row = menu.closest("li, article");
  const playing = row && findIfAny(row, "[data-play], [data-play-set]", HTMLAnchorElement);
  const share = menu.dataset.share;
  const items = [
    ...(playing ? [queueItem("Play next", "next", playing), queueItem("Add to queue", "end", playing)] : []),
    ...findAll(panel, "li:has([data-add-to-set])", HTMLLIElement),
    ...(share === undefined ? [] : shareItems(share, titleOf(menu))),
  ];
  panel.prepend(...items);
}

const titleOf = (menu: HTMLElement) =>
  find(menu, "summary", HTMLElement)
    .getAttribute("aria-label")
    ?.replace(/^More: /, "") ?? "";

function item(words: string): { row: HTMLLIElement; button: HTMLButtonElement } {
  const row = document.createElement("li");
  row.dataset.added = "";
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: words });
  row.append(button);
  return { row, button };
}

/** Carries what the row's play button does. The player hears its press. */
function queueItem(words: string, place: "next" | "end", playing: HTMLAnchorElement): HTMLLIElement {
  const { row, button } = item(words);
  const { play, playSet: queueSet, secret, title, artist } = playing.dataset;
  const what =
    queueSet === undefined ? { [place === "next" ? "queueNext" : "queueAdd"]: play } : { queueSet, place };
  const carried = { ...what, secret, title, artist, page: playing.href };
  for (const [name, value] of Object.entries(carried)) if (value !== undefined) button.dataset[name] = value;
  return row;
}

function shareItems(url: string, title: string): HTMLLIElement[] {
  const copying = item("Copy link");
  copying.button.addEventListener("click", async (event) => {
    event.stopPropagation();
    if (await copied(url)) say(copying.button, "Link copied");
    else showField(copying.row, url);
  });
  if (!("share" in navigator)) return [copying.row];
  const sharing = item("Share …");
  // The system's window that is closed again is no fault.
  sharing.button.addEventListener("click", () => navigator.share({ title, url }).catch(() => {}));
  return [copying.row, sharing.row];
}

/** Pages without TLS have no clipboard. */
const copied = (text: string): Promise<boolean> =>
  Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
    () => true,
    () => false,
  );

/** Milliseconds that a menu stays to show what its item has done. */
const READ_MS = 1000;

function say(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  const said = findIfAny(document, "#page-said", HTMLElement);
  if (said) said.textContent = text;
  const menu = menuOf(button);
  setTimeout(() => menu?.open && button.isConnected && close(menu), READ_MS);
}

/** The address, selected: the keyboard copies it. */
function showField(row: HTMLElement, url: string): void {
  const field = Object.assign(document.createElement("input"), { readOnly: true, value: url });
  field.ariaLabel = "Link";
  row.replaceChildren(field);
  field.select();
}

document.addEventListener("click", ({ target }) => {
  const menu = menuOf(target);
  // The panel itself is pressed around its items, and on a phone beside the sheet.
  if (menu && (closest(target, ".more li > :is(a, button)", HTMLElement) || target === panelOf(menu)))
    close(menu);
});

/** The item to which an arrow key leads. */
const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

document.addEventListener("keydown", (event) => {
  const menu = menuOf(event.target);
  const step = STEPS[event.key];
  if (!menu || !step || event.target instanceof HTMLInputElement) return;
  if (!menu.open && !event.key.startsWith("Arrow")) return;
  event.preventDefault();
  if (!menu.open) openMenuOf(menu, false);
  const items = itemsOf(menu);
  const at = items.findIndex((one) => one.matches(":focus"));
  items[step(at, items.length)]?.focus();
});
