import { player } from "./player.js";

/** Keyboard shortcuts of the player, on every page. */

/** Seconds per key press. */
export const STEP_S = 5;

const KEYS = {
  " ": () => player.toggle(),
  k: () => player.toggle(),
  ArrowLeft: () => player.seek(player.position - STEP_S),
  ArrowRight: () => player.seek(player.position + STEP_S),
  "Shift+ArrowLeft": () => player.previous(),
  "Shift+ArrowRight": () => player.next(),
  m: () => player.toggleMute(),
  l: () => player.cycleRepeat(),
  s: () => player.toggleShuffle(),
};
for (let tenth = 0; tenth < 10; tenth++) KEYS[tenth] = () => player.seek((player.duration * tenth) / 10);

/** Elements that use keys themselves. */
const BUSY =
  "input, textarea, select, button, summary, audio, video, [contenteditable], [role=button], [role=slider], [role=listbox], [role=menu], dialog";

document.addEventListener("keydown", (event) => {
  const { key, shiftKey, ctrlKey, metaKey, altKey, target, defaultPrevented, isComposing } = event;
  if (!player.entry || defaultPrevented || isComposing || ctrlKey || metaKey || altKey) return;
  if (target.closest?.(BUSY)) return;
  const action = KEYS[shiftKey ? `Shift+${key}` : key];
  if (!action) return;
  event.preventDefault();
  action();
});
