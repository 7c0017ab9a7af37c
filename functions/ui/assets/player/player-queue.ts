import { readTabJson, writeTab } from "../tab-store.ts";
import { takeHandedOver } from "./arrival.ts";

/** A track of the queue. A button of a list knows its id, secret and words; its sources tell the rest. */
export interface Entry {
  id: number;
  secret?: string;
  title?: string;
  artist?: string;
  artwork?: string;
  page?: string;
  artistPage?: string;
  durationMs?: number;
  lufs?: number;
  /** Whether the reader likes it. Undefined for a visitor, and before its sources came. */
  liked?: boolean;
}

/** The queue as plain values. */
export interface Queue {
  /** In playing order. */
  entries: Entry[];
  /** The place of the current one. */
  at: number;
  repeat: "off" | "all" | "one";
  /** The order before shuffling. */
  original: Entry[] | undefined;
  /** The address of the page where the list goes on. */
  further?: string | undefined;
  /** The set that it began with, by its key. */
  set?: string | undefined;
}

/** Tells where a list comes from. */
export type Origin = Pick<Queue, "further" | "set">;

export const EMPTY: Queue = { entries: [], at: -1, repeat: "off", original: undefined };

export const keyOf = ({ id, secret }: Pick<Entry, "id" | "secret">): string => `${id} ${secret ?? ""}`;

const REPEAT_AFTER = { off: "all", all: "one", one: "off" } as const;

export const cycleRepeat = (queue: Queue): Queue => ({ ...queue, repeat: REPEAT_AFTER[queue.repeat] });

/** Position of the next entry, `undefined` at the end. By hand, "repeat one" leads on too. */
export function nextOf({ entries, at, repeat }: Queue, byHand: boolean): number | undefined {
  if (repeat === "one" && !byHand) return at;
  if (at + 1 < entries.length) return at + 1;
  return repeat === "off" || entries.length === 0 ? undefined : 0;
}

export function previousOf({ entries, at, repeat }: Queue): number | undefined {
  if (at > 0) return at - 1;
  return repeat === "off" ? undefined : entries.length - 1;
}

/** Another list, begun at one of its entries. A shuffled queue stays shuffled. */
export function replaced(queue: Queue, entries: Entry[], at: number, { further, set }: Origin): Queue {
  const list = { ...queue, entries, at, original: undefined, further, set };
  return queue.original ? shuffled(list) : list;
}

/** With an entry behind the current one, or at the end. One that is still to come moves there. */
export function inserted(queue: Queue, entry: Entry, place: "next" | "end"): Queue {
  const isOther = (one: Entry) => keyOf(one) !== keyOf(entry);
  const { at, original } = queue;
  const coming = queue.entries.slice(at + 1).filter(isOther);
  const heard = queue.entries.slice(0, at + 1);
  const list = place === "next" ? [entry, ...coming] : [...coming, entry];
  const left = new Set([...heard, ...coming]);
  return {
    ...queue,
    entries: [...heard, ...list],
    original: original && [...original.filter((one) => left.has(one)), entry],
  };
}

/** With the entry at one position at another one. */
export function moved(queue: Queue, from: number, to: number): Queue {
  const current = queue.entries[queue.at];
  const entries = queue.entries.toSpliced(from, 1).toSpliced(to, 0, ...queue.entries.slice(from, from + 1));
  return { ...queue, entries, at: current ? entries.indexOf(current) : -1 };
}

/** Without anything that is still to come. */
export function cleared(queue: Queue): Queue {
  const entries = queue.entries.slice(0, queue.at + 1);
  return { ...queue, entries, original: queue.original && entries, further: undefined };
}

/** With the entries of the list's next page. A shuffled queue mixes them into what is still to come. */
export function extended(queue: Queue, entries: Entry[], further: string | undefined): Queue {
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

function mixed(entries: Entry[]): Entry[] {
  const rest = [...entries];
  const mix: Entry[] = [];
  while (rest.length > 0) mix.push(...rest.splice(Math.floor(Math.random() * rest.length), 1));
  return mix;
}

function shuffled(queue: Queue): Queue {
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
export function toggleShuffle(queue: Queue): Queue {
  if (!queue.original) return shuffled(queue);
  const left = new Set(queue.entries);
  const entries = queue.original.filter((entry) => left.has(entry));
  const current = queue.entries[queue.at];
  return { ...queue, entries, at: current ? entries.indexOf(current) : -1, original: undefined };
}

/** Without the entry at this position, which is not the current one. */
export const without = (queue: Queue, position: number): Queue => ({
  ...queue,
  entries: queue.entries.toSpliced(position, 1),
  at: position < queue.at ? queue.at - 1 : queue.at,
});

/** The queue in the tab's storage. */
const STORED = "player";

/** How the queue was played. */
interface Manner {
  /** Seconds. */
  position: number;
  rate: number;
  volume: number;
  isMuted: boolean;
}

interface Stored extends Manner, Omit<Queue, "original"> {
  /** The places, in `entries`, of the order before shuffling. */
  order?: number[];
  reader?: string;
}

/** The reader of the page. Turbo keeps the bar of the first page, and signing in or out loads a page anew. */
const reader = () => document.getElementById("player-bar")?.dataset.reader;

export function store(queue: Queue, manner: Manner): void {
  const { entries, original, ...rest } = queue;
  const places = new Map(entries.map((entry, place) => [entry, place]));
  const order = original?.map((entry) => places.get(entry)).filter((place) => place !== undefined);
  const stored: Stored = { ...rest, ...manner, entries, order, reader: reader() };
  writeTab(STORED, JSON.stringify(stored));
}

/** Returns `undefined` if nothing was stored, or by somebody who has signed out: it may name what is private. */
export function restore(): (Manner & { queue: Queue }) | undefined {
  takeHandedOver();
  const stored = readTabJson<Stored>(STORED);
  if (!stored) return undefined;
  const { entries, at, repeat, order, further, set, reader: whose, ...manner } = stored;
  if (whose !== undefined && whose !== reader()) return void writeTab(STORED);
  const original = order?.flatMap((place) => entries[place] ?? []);
  return { queue: { entries, at, repeat, original, further, set }, ...manner };
}
