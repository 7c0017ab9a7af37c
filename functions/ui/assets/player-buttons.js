import { player } from "./player.js";
import { keyOf } from "./player-sources.js";

/** Buttons that play, on rows and cards of any page: `data-play` and its companions. */

const BUTTON = "[data-play]";

const entryOf = ({ dataset: { play, secret, title, artist }, href }) => ({
  ...{ id: Number(play), secret, title, artist, page: href },
});

/** The tracks of a list, each once. */
export function entriesIn(list) {
  const entries = Array.from(list.querySelectorAll(BUTTON), entryOf);
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()];
}

/** The list that a button stands in. */
export const entriesAround = (element) =>
  entriesIn(element.closest("[data-queue]") ?? document.querySelector("main"));

/** The address of the page where a list goes on. */
export const furtherOf = (list) =>
  list?.closest("section, article, main")?.querySelector(".paging [rel=next]")?.href;

const isCurrent = (entry) => player.entry !== undefined && keyOf(entry) === keyOf(player.entry);

function press(button) {
  const entry = entryOf(button);
  if (isCurrent(entry)) return player.toggle();
  const entries = entriesAround(button);
  return player.playList(
    entries,
    entries.findIndex((each) => keyOf(each) === keyOf(entry)),
    0,
    furtherOf(button.closest("[data-queue]")),
  );
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(BUTTON);
  if (!button || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  press(button);
});

// A button is pressed by the space bar too, a link is not.
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || !event.target.matches?.(BUTTON)) return;
  event.preventDefault();
  if (!event.repeat) press(event.target);
});

for (const name of ["pointerover", "focusin", "pointerdown"])
  document.addEventListener(name, ({ target }) => {
    const button = target.closest?.(BUTTON);
    if (button) player.foresee(entryOf(button));
  });

/** Shows on each button whether its track plays. For pages that show other buttons by themselves, too. */
export function markButtons() {
  for (const button of document.querySelectorAll(BUTTON)) {
    const entry = entryOf(button);
    const isNow = isCurrent(entry);
    const plays = isNow && (player.isPlaying || player.isLoading);
    button.setAttribute("role", "button");
    button.setAttribute("aria-label", `${plays ? "Pause" : "Play"} ${entry.title}`);
    if (isNow) button.dataset.plays = plays ? "now" : "paused";
    else delete button.dataset.plays;
  }
}

for (const name of ["track", "state"]) player.addEventListener(name, markButtons);
for (const name of ["turbo:load", "turbo:render", "turbo:frame-load"])
  document.addEventListener(name, markButtons);
markButtons();
