import { closest, find, findAll, findIfAny } from "../elements.ts";
import { player } from "./player.ts";
import { type Entry, keyOf } from "./player-queue.ts";

/** Buttons that play a track, on rows and cards of any page: `data-play` and its companions. */

const BUTTON = "[data-play]";

function entryOf(button: HTMLAnchorElement): Entry {
  const { play, secret, title, artist } = button.dataset;
  const artwork = coverBeside(button);
  return { id: Number(play), secret, title, artist, artwork, page: button.href };
}

/** The picture of the button's row or card, in the player's size. */
export const coverBeside = (button: Element): string | undefined =>
  button
    .closest("li")
    ?.querySelector("img")
    ?.src.replace(/-(?:large|t\d+x\d+)\./, "-t300x300.");

/** The tracks of a list, each once. */
export function entriesIn(list: Element): Entry[] {
  const entries = findAll(list, BUTTON, HTMLAnchorElement).map(entryOf);
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()];
}

/** The list that a button stands in. */
export const entriesAround = (element: Element): Entry[] =>
  entriesIn(element.closest("[data-queue]") ?? find(document, "main", HTMLElement));

/** The address of the page where a list goes on. */
export function furtherOf(list: Element | null): string | undefined {
  const section = list?.closest("section, article, main");
  return section ? findIfAny(section, ".paging [rel=next]", HTMLAnchorElement)?.href : undefined;
}

const isCurrent = (entry: Entry) => player.entry !== undefined && keyOf(entry) === keyOf(player.entry);

function press(button: HTMLAnchorElement): unknown {
  const entry = entryOf(button);
  if (isCurrent(entry)) return player.toggle();
  const entries = entriesAround(button);
  return player.playList(
    entries,
    entries.findIndex((each) => keyOf(each) === keyOf(entry)),
    0,
    { further: furtherOf(button.closest("[data-queue]")) },
  );
}

/** Lets the elements that match play, or do else. A link does so with the space bar too, as a button does. */
export function onPress(selector: string, act: (pressed: HTMLElement) => unknown): void {
  document.addEventListener("click", (event) => {
    const pressed = closest(event.target, selector, HTMLElement);
    if (!pressed || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    act(pressed);
  });
  document.addEventListener("keydown", (event) => {
    const { key, repeat, target } = event;
    if (key !== " " || !(target instanceof HTMLAnchorElement) || !target.matches(selector)) return;
    event.preventDefault();
    if (!repeat) act(target);
  });
}

/** Calls `foresee` when a press of an element that matches is near. */
export function onApproach(selector: string, foresee: (near: HTMLElement) => unknown): void {
  for (const name of ["pointerover", "focusin", "pointerdown"])
    document.addEventListener(name, ({ target }) => {
      const near = closest(target, selector, HTMLElement);
      if (near) foresee(near);
    });
}

onPress(BUTTON, (button) => button instanceof HTMLAnchorElement && press(button));
onApproach(BUTTON, (button) => button instanceof HTMLAnchorElement && player.foresee(entryOf(button)));

/** Shows on each button whether its track plays. For pages that show other buttons by themselves, too. */
export function showPlaying(): void {
  for (const button of findAll(document, BUTTON, HTMLAnchorElement)) {
    const entry = entryOf(button);
    const isNow = isCurrent(entry);
    const plays = isNow && (player.isPlaying || player.isLoading);
    button.setAttribute("role", "button");
    button.setAttribute("aria-label", `${plays ? "Pause" : "Play"} ${entry.title}`);
    if (isNow) button.dataset.plays = plays ? "now" : "paused";
    else delete button.dataset.plays;
  }
}

for (const name of ["track", "state"]) player.addEventListener(name, showPlaying);
for (const name of ["turbo:load", "turbo:render", "turbo:frame-load"])
  document.addEventListener(name, showPlaying);
showPlaying();
