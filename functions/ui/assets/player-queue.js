/**
 * The queue as plain values: `entries` in playing order, `at` the current one, `repeat` off, all or one.
 * `original` is the order before shuffling, `further` the address of the page where the list goes on.
 */
export const EMPTY = { entries: [], at: -1, repeat: "off", original: undefined, further: undefined };

const REPEATS = ["off", "all", "one"];

export const cycleRepeat = (queue) => ({
  ...queue,
  repeat: REPEATS[(REPEATS.indexOf(queue.repeat) + 1) % REPEATS.length],
});

/** Position of the next entry, `undefined` at the end. By hand, "repeat one" leads on too. */
export function nextOf({ entries, at, repeat }, byHand) {
  if (repeat === "one" && !byHand) return at;
  if (at + 1 < entries.length) return at + 1;
  return repeat === "off" || entries.length === 0 ? undefined : 0;
}

export function previousOf({ entries, at, repeat }) {
  if (at > 0) return at - 1;
  return repeat === "off" ? undefined : entries.length - 1;
}

/** Another list, begun at one of its entries. A shuffled queue stays shuffled. */
export function replaced(queue, entries, at, further) {
  const list = { ...queue, entries, at, original: undefined, further };
  return queue.original ? shuffled(list) : list;
}

/** With the entries of the list's next page. A shuffled queue mixes them into what is still to come. */
export function extended(queue, entries, further) {
  const { at, original } = queue;
  const heard = queue.entries.slice(0, at + 1);
  const coming = [...queue.entries.slice(at + 1), ...entries];
  return {
    ...queue,
    entries: [...heard, ...(original ? mixed(coming) : coming)],
    original: original && [...original, ...entries],
    further,
  };
}

function mixed(entries) {
  const mix = [...entries];
  for (let last = mix.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [mix[last], mix[other]] = [mix[other], mix[last]];
  }
  return mix;
}

function shuffled(queue) {
  const current = queue.entries[queue.at];
  const rest = mixed(queue.entries.filter((entry) => entry !== current));
  return {
    ...queue,
    original: queue.entries,
    entries: current ? [current, ...rest] : rest,
    at: current ? 0 : -1,
  };
}

/** Shuffles, or returns to the order from before. */
export function toggleShuffle(queue) {
  if (!queue.original) return shuffled(queue);
  const left = new Set(queue.entries);
  const entries = queue.original.filter((entry) => left.has(entry));
  return { ...queue, entries, at: entries.indexOf(queue.entries[queue.at]), original: undefined };
}

/** Without the entry at this position, which is not the current one. */
export const without = (queue, position) => ({
  ...queue,
  entries: queue.entries.toSpliced(position, 1),
  at: position < queue.at ? queue.at - 1 : queue.at,
});

/** The queue as text, and back. Storage may be full or closed. */
const STORED = "player";

/** The reader of the page. Turbo keeps the bar of the first page, and signing in or out loads a page anew. */
const reader = () => document.getElementById("player-bar")?.dataset.reader;

export function store(queue, more) {
  const { entries, original, ...rest } = queue;
  const places = new Map(entries.map((entry, place) => [entry, place]));
  const order = original?.map((entry) => places.get(entry)).filter((place) => place !== undefined);
  try {
    sessionStorage.setItem(STORED, JSON.stringify({ ...rest, ...more, entries, order, reader: reader() }));
  } catch {}
}

/** Returns `undefined` if nothing was stored, or by somebody who has signed out: it may name what is private. */
export function restore() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED));
    const { entries, at, repeat, order, further, reader: whose, ...more } = stored;
    if (whose !== undefined && whose !== reader()) return void sessionStorage.removeItem(STORED);
    const original = order?.map((place) => entries[place]);
    return { queue: { entries, at, repeat, original, further }, ...more };
  } catch {
    return undefined;
  }
}
