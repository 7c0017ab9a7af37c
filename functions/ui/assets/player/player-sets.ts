import { findAll } from "../elements.ts";
import { player } from "./player.ts";
import { onApproach, onPress } from "./player-buttons.ts";
import { ask } from "./player-patience.ts";
import { type Entry, inserted, keyOf, toggleShuffle } from "./player-queue.ts";
import { say } from "./player-said.ts";
import { statusOf } from "./player-trouble.ts";

/**
 * Links and buttons of any page that play a whole set: `data-play-set` is its id, `data-secret` the token of its private
 * link, `data-title` its title. With `data-shuffle` they mix it. While the set is the player's, the first have
 * `data-plays`: `now`, or `paused`.
 */

const BUTTON = "[data-play-set]";

/** Milliseconds for which a list that was fetched in advance counts. */
const KEPT_FOR_MS = 30_000;

const known = new Map<string, { promise: Promise<Entry[]>; atMs: number }>();

const setOf = ({ dataset: { playSet, queueSet, secret } }: HTMLElement) => ({
  id: Number(playSet ?? queueSet),
  secret,
});

const isCurrent = (button: HTMLElement) => player.queue.set === keyOf(setOf(button));

/** All tracks of a set that play, in one request. */
function tracksOf(button: HTMLElement): Promise<Entry[]> {
  const { id, secret } = setOf(button);
  const key = keyOf({ id, secret });
  const cached = known.get(key);
  if (cached && Date.now() - cached.atMs < KEPT_FOR_MS) return cached.promise;
  const query = secret ? `?${new URLSearchParams({ secret_token: secret })}` : "";
  const promise = ask(`/you/sets/${id}/queue${query}`, "application/json")
    .then((reply) => reply.json())
    .then(({ tracks }: { tracks: Entry[] }) => tracks);
  known.set(key, { promise, atMs: Date.now() });
  promise.catch(() => known.delete(key));
  return promise;
}

/** The button whose set is on its way. */
let awaited: HTMLElement | undefined;

async function press(button: HTMLElement): Promise<unknown> {
  const isShuffled = button.dataset.shuffle !== undefined;
  if (isCurrent(button) && !isShuffled) return player.toggle();
  awaited = button;
  const { entry } = player;
  player.bless();
  const tracks = await tracksOf(button).catch(statusOf);
  // Meanwhile the listener may have pressed something else.
  if (awaited !== button || player.entry !== entry) return;
  awaited = undefined;
  const entries = entriesOf(tracks);
  if (!entries) return;
  if (isShuffled !== Boolean(player.queue.original)) player.arrange(toggleShuffle);
  const at = isShuffled ? Math.floor(Math.random() * entries.length) : 0;
  return player.playList(entries, at, 0, { set: keyOf(setOf(button)) });
}

/** The found tracks, or says why there are none. A copy, because the list stays known. */
function entriesOf(tracks: Entry[] | number | undefined): Entry[] | undefined {
  if (!Array.isArray(tracks)) {
    const isGone = tracks !== undefined && tracks < 500;
    return void say(isGone ? "This set is no longer there." : "The set could not be loaded. Try again.");
  }
  if (tracks.length === 0) return void say("No track of this set can be played.");
  return tracks.map((track) => ({ ...track }));
}

/** Buttons that put a whole set into the queue: `data-queue-set` is its id, `data-place` is `next` or `end`. */
async function enqueue(button: HTMLElement): Promise<unknown> {
  const place = button.dataset.place === "next" ? "next" : "end";
  if (!player.entry) player.bless();
  const entries = entriesOf(await tracksOf(button).catch(statusOf));
  if (!entries) return;
  const { title = "The set" } = button.dataset;
  say(place === "next" ? `“${title}” plays next.` : `“${title}” is in the queue.`);
  if (!player.entry) return player.playList(entries, 0, 0, { set: keyOf(setOf(button)) });
  const ordered = place === "next" ? entries.toReversed() : entries;
  return player.arrange((queue) => ordered.reduce((to, entry) => inserted(to, entry, place), queue));
}

onPress(BUTTON, press);
onPress("[data-queue-set]", enqueue);
onApproach(BUTTON, (button) =>
  tracksOf(button).then(
    ([first]) => button.dataset.shuffle === undefined && !isCurrent(button) && player.foresee(first),
    () => {},
  ),
);

function showPlaying(): void {
  for (const button of findAll(document, BUTTON, HTMLElement)) {
    const isShuffled = button.dataset.shuffle !== undefined;
    const isNow = isCurrent(button) && !isShuffled;
    const plays = isNow && (player.isPlaying || player.isLoading);
    const { title = "this set" } = button.dataset;
    if (button instanceof HTMLAnchorElement) button.setAttribute("role", "button");
    button.setAttribute("aria-label", `${isShuffled ? "Shuffle" : plays ? "Pause" : "Play"} ${title}`);
    if (isNow) button.dataset.plays = plays ? "now" : "paused";
    else delete button.dataset.plays;
  }
}

for (const name of ["track", "queue", "state"]) player.addEventListener(name, showPlaying);
for (const name of ["turbo:load", "turbo:render", "turbo:frame-load"])
  document.addEventListener(name, showPlaying);
showPlaying();
