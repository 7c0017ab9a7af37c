import { findAll } from "../elements.ts";

/** Milliseconds for which the player shows what it has said. */
const SHOWN_MS = 5_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a line at the player for a while, which screen readers read. An open dialog hides all that is beside it. */
export function say(text: string): void {
  const places = findAll(document, "#player-bar .deck-said", HTMLElement);
  const place = places.findLast((one) => one.closest("dialog")?.open) ?? places[0];
  for (const one of places) one.textContent = one === place ? text : "";
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (place) place.textContent = "";
  }, SHOWN_MS);
}
