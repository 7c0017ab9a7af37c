import { find, findAll } from "../elements.ts";
import { SHORT_MS } from "../places.ts";
import type { player as Player } from "./player.ts";

/** The chapters of the track that plays: the title of the present one beside the track's, and all for the system's controls. */

const followed = new WeakSet<HTMLElement>();

/** Shows them in the bar and the full player from now on, and their buttons only for a track that has some. */
export function followChapters(bar: HTMLElement, player: typeof Player): void {
  if (followed.has(bar)) return;
  followed.add(bar);
  const titles = findAll(bar, ".present-chapter", HTMLElement);
  const buttons = findAll(bar, ".deck-more[aria-controls=deck-chapters]", HTMLElement);
  const show = () => showPresent(titles, player);
  const describe = () => {
    for (const button of buttons) button.hidden = !player.sources?.chapters;
    describeChapters(player);
  };
  for (const name of ["track", "time", "state"]) player.addEventListener(name, show);
  player.addEventListener("track", describe);
  show();
  describe();
}

function showPresent(buttons: HTMLElement[], { sources, position }: typeof Player): void {
  const present = sources?.chapters?.findLast(({ start }) => start <= position * 1_000 + SHORT_MS);
  const title = present?.title ?? "";
  for (const button of buttons) {
    button.hidden = !title;
    const place = find(button, ".present-title", HTMLElement);
    if (place.textContent !== title) place.textContent = title;
  }
}

/** Newer browsers show them. Others leave out what they do not know. */
function describeChapters({ sources }: typeof Player): void {
  const { mediaSession: session } = navigator;
  if (!sources?.chapters || !session?.metadata) return;
  const { title, artist, artwork } = session.metadata;
  const chapterInfo = sources.chapters.map(({ start, title }) => ({ title, startTime: start / 1_000 }));
  session.metadata = new MediaMetadata({ title, artist, artwork: [...artwork], ...{ chapterInfo } });
}
