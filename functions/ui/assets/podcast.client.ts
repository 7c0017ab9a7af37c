import { closest, findAll } from "./elements.ts";
import { Places } from "./places.ts";
import { player } from "./player/player.ts";
import { follow, reach } from "./transcript.ts";

/** Chapters and the transcript on a track's page: a press plays from there, and the present place is marked. */

const PLACE = ":is(.chapters, .transcript) [data-at]";

/** Before the page's own links to moments, which know whole seconds only. */
document.addEventListener(
  "click",
  (event) => {
    const place = closest(event.target, PLACE, HTMLElement);
    const shown = document.querySelector("track-player");
    if (!place || !shown || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // Selecting words is no press.
    if (place.matches(".cue") && document.getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.stopPropagation();
    shown.playFrom(Number(place.dataset.at) / 1_000);
  },
  true,
);

/** The places of each list, for as long as it is in a page. */
const known = new WeakMap<Element, Places>();

function placesIn(list: HTMLElement, selector: string): Places {
  const places = known.get(list) ?? new Places(findAll(list, selector, HTMLElement));
  known.set(list, places);
  return places;
}

function show(): void {
  const ms = (document.querySelector("track-player")?.position ?? 0) * 1_000;
  for (const list of findAll(document, ".chapters", HTMLElement)) placesIn(list, ".chapter").mark(ms);
  for (const list of findAll(document, "episode-transcript", HTMLElement)) {
    reach(list, ms);
    const cue = placesIn(list, ".cue").mark(ms);
    if (cue) follow(list, cue);
  }
}

for (const name of ["time", "track", "state"]) player.addEventListener(name, show);
document.addEventListener("turbo:load", show);
document.addEventListener("whole", ({ target }) => {
  if (target instanceof Element) known.delete(target);
  show();
});
show();
