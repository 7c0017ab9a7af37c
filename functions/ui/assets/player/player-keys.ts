import { readChoice, storeChoice } from "../choices.ts";
import { closest, findIfAny } from "../elements.ts";
import { loadLaterStyles } from "./later-styles.ts";
import { player } from "./player.ts";
import { cycleRepeat, toggleShuffle } from "./player-queue.ts";
import { STEP_S } from "./seek.ts";

/** Keyboard shortcuts of the player, on every page. */

const KEYS: Record<string, (() => void) | undefined> = {
  " ": () => player.toggle(),
  k: () => player.toggle(),
  ArrowLeft: () => player.seek(player.position - STEP_S),
  ArrowRight: () => player.seek(player.position + STEP_S),
  "Shift+ArrowLeft": () => player.previous(),
  "Shift+ArrowRight": () => player.next(),
  m: () => player.toggleMute(),
  l: () => player.arrange(cycleRepeat),
  s: () => player.arrange(toggleShuffle),
};
for (let tenth = 0; tenth < 10; tenth++)
  KEYS[String(tenth)] = () => player.seek((player.duration * tenth) / 10);

/** Keys that go on acting while they are held. Any other would switch there and back. */
const HELD = ["ArrowLeft", "ArrowRight"];

/** The listener's choice, since speech input and unsteady hands press single keys unmeant (WCAG 2.1.4). */
const CHOICE = "player-keys";

let isOn = readChoice(CHOICE);

/** Lets a checkbox switch the keys off. */
export function openKeysSwitch(box: HTMLInputElement): void {
  box.checked = isOn;
  box.addEventListener("change", () => {
    isOn = box.checked;
    storeChoice(CHOICE, isOn);
  });
}

/** Keys of pages, whether or not something plays. */
const PAGE_KEYS: Record<string, (() => void) | undefined> = {
  "/": focusSearch,
  "?": showKeys,
};

function focusSearch(): void {
  const field = findIfAny(document, "#search", HTMLInputElement);
  // A phone's search has a place of its own.
  const isShown = field?.checkVisibility();
  if (!isShown) findIfAny(document, '.bottom-bar [href*="/search"]', HTMLElement)?.click();
  field?.focus();
  field?.select();
}

/** Lists the keys. */
export function showKeys(): void {
  Promise.all([import("./keys-dialog.client.ts"), loadLaterStyles()]).then(
    ([{ openKeys }]) => openKeys(),
    () => {},
  );
}

/** Elements that use keys themselves. */
const BUSY =
  "input, textarea, select, button, summary, audio, video, [contenteditable], [role=button], [role=slider], [role=listbox], [role=menu], dialog:not(.full)";

document.addEventListener("keydown", (event) => {
  const { key, shiftKey, ctrlKey, metaKey, altKey, target, defaultPrevented, isComposing } = event;
  if (!isOn || defaultPrevented || isComposing || ctrlKey || metaKey || altKey) return;
  if (closest(target, BUSY, Element)) return;
  const name = shiftKey ? `Shift+${key}` : key;
  // These need Shift on some keyboards.
  const action = PAGE_KEYS[key] ?? (player.entry && KEYS[name]);
  if (!action) return;
  event.preventDefault();
  if (!event.repeat || HELD.includes(name)) action();
});
