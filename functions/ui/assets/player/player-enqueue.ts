import { player } from "./player.ts";
import { coverBeside, onPress } from "./player-buttons.ts";
import { type Entry, inserted } from "./player-queue.ts";
import { say } from "./player-said.ts";

/**
 * Buttons of any page that put a track into the queue: `data-queue-next` or `data-queue-add` is its id, with the
 * companions of `data-play` and its address as `data-page`.
 */

function entryOf(button: HTMLElement): Entry {
  const { queueNext, queueAdd, secret, title, artist, page } = button.dataset;
  const artwork = coverBeside(button);
  return { id: Number(queueNext ?? queueAdd), secret, title, artist, artwork, page };
}

function enqueue(button: HTMLElement, place: "next" | "end"): void {
  const entry = entryOf(button);
  if (!player.entry) player.playList([entry], 0);
  else player.arrange((queue) => inserted(queue, entry, place));
  say(place === "next" ? `“${entry.title}” plays next.` : `“${entry.title}” is in the queue.`);
}

onPress("[data-queue-next]", (button) => enqueue(button, "next"));
onPress("[data-queue-add]", (button) => enqueue(button, "end"));
