import { readTab, readTabJson, writeTab } from "../tab-store.ts";

/**
 * Takes up the music that a page of another of our hosts, or one that was left for this one, hands over. It comes in the
 * address's fragment, which no server sees, and leaves the address at once. Runs before the player restores its queue.
 *
 * Anybody can write such an address. So it holds names and numbers only, and addresses of our hosts. At home it counts in
 * the tab alone that the music left, and elsewhere only after a page of ours, or a stranger's words would stand by a sign-in.
 */

/** The queue in this tab's storage. */
const QUEUE = "player";
/** Addresses of the entry that plays, in this tab's storage. */
const SOURCES = "player-sources";
/** Since when the music is to go on, in this tab's storage. */
export const GOES_ON = "player-goes-on";
/** Set in the tab whose music is on a page of another host. */
export const AWAY = "player-away";
/** Set by whoever signs out. */
export const FORGOTTEN = "player-forgotten";
/** Milliseconds that a page may take to come. */
const PATIENCE_MS = 60_000;

interface Entry {
  id: number;
  secret?: string;
  title?: string;
  artist?: string;
  artwork?: string;
  durationMs?: number;
}

interface Queue {
  entries: Entry[];
  at: number;
  repeat: string;
  position: number;
  rate: number;
  volume: number;
  isMuted: boolean;
  reader?: string;
}

interface Handed {
  queue: Queue;
  isPlaying: boolean;
  atMs: number;
  /** Addresses and words of the track that plays, which a page of another host may not be told. */
  sources?: Record<string, unknown>;
}

const bar = () => document.getElementById("player-bar");
/** Set on pages of hosts that do not know the site's reader. */
export const isGuest = () => document.documentElement.dataset.guest !== undefined;

/** Origins of the site, accounts and API. */
export const hosts = () =>
  (document.querySelector('meta[name="hosts"]')?.getAttribute("content") ?? "").split(" ");

let handed: Handed | undefined;
let isTaken = false;

/** Puts what was handed over where the player looks for its queue. */
export function takeHandedOver(): void {
  if (isTaken) return;
  isTaken = true;
  if (readTab(FORGOTTEN) !== undefined) for (const name of [QUEUE, SOURCES, FORGOTTEN]) writeTab(name);
  const found = inAddress();
  if (found && Date.now() - found.atMs < PATIENCE_MS) receive(found);
  writeTab(AWAY);
  const owner = readTabJson<Queue>(QUEUE)?.reader;
  const place = bar();
  if (isGuest() && place && owner !== undefined) place.dataset.reader = owner;
}

/** Whether the music played until this page came. */
export function goesOn(): boolean {
  const since = Number(readTab(GOES_ON) ?? 0);
  writeTab(GOES_ON);
  return handed?.isPlaying ?? Date.now() - since < PATIENCE_MS;
}

/** Keeps addresses and words of the entry that plays for the next page of this host. */
export const keepSources = ({ id }: { id: number }, sources: object | undefined): void =>
  writeTab(SOURCES, JSON.stringify({ id, sources }));

/** Addresses and words of the entry that plays. */
export function handedSources({ id }: { id: number }): object | undefined {
  const stored = readTabJson<{ id: number; sources?: object }>(SOURCES);
  writeTab(SOURCES);
  return handed?.sources ?? (stored?.id === id ? stored.sources : undefined);
}

/** Cuts it off the address, so that nobody copies or reloads it. */
function inAddress(): Handed | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const text = fragment.get("player");
  if (text === null) return undefined;
  const at = fragment.get("at");
  history.replaceState(history.state, "", at ? `#${at}` : location.pathname + location.search);
  if (at) document.getElementById(at)?.scrollIntoView();
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) =>
      one.charCodeAt(0),
    );
    return checked(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);
const amount = (value: unknown, most: number) => Math.min(Math.max(Number(value) || 0, 0), most);
const isOurs = (value: unknown) =>
  typeof value === "string" && URL.canParse(value) && hosts().includes(new URL(value).origin);

/** Anything else in the address is left out. */
function checked({ queue, isPlaying, atMs, sources }: Handed): Handed {
  const entries = queue.entries.map(({ id, secret, title, artist, artwork, durationMs }) => ({
    id: Number(id),
    secret: text(secret),
    title: text(title),
    artist: text(artist),
    artwork: isOurs(artwork) ? artwork : undefined,
    durationMs: amount(durationMs, Number.MAX_SAFE_INTEGER),
  }));
  const addresses = Object.entries(sources ?? {}).flatMap(([name, value]) =>
    // Words may begin like an address: "Harbour: night".
    /^(title|artist)$/.test(name) || !/^[a-z]+:/i.test(String(value)) ? [] : [value],
  );
  return {
    queue: {
      entries,
      at: amount(queue.at, entries.length - 1),
      repeat: queue.repeat === "all" || queue.repeat === "one" ? queue.repeat : "off",
      position: amount(queue.position, Number.MAX_SAFE_INTEGER),
      rate: amount(queue.rate, 2) || 1,
      volume: amount(queue.volume, 1),
      isMuted: queue.isMuted === true,
      reader: text(queue.reader),
    },
    isPlaying: isPlaying === true,
    atMs: Number(atMs),
    sources: addresses.every(isOurs) ? sources : undefined,
  };
}

const cameFromUs = () => document.referrer !== "" && hosts().includes(new URL(document.referrer).origin);

/** At home the whole queue is known still, and only the place in it has changed. */
function receive(found: Handed): void {
  const { queue } = found;
  if (isGuest()) {
    if (cameFromUs()) accept(found, queue);
    return;
  }
  const reader = bar()?.dataset.reader;
  if (readTab(AWAY) === undefined) return;
  // They have signed out meanwhile, or somebody else has signed in: the queue may name what is private.
  if (queue.reader !== undefined && queue.reader !== reader) return;
  const before = readTabJson<Queue>(QUEUE);
  const now = queue.entries[queue.at];
  const at = before?.entries.findIndex(({ id, secret }) => id === now?.id && secret === now.secret) ?? -1;
  const isThere = before !== undefined && at >= 0 && before.reader === queue.reader;
  accept(found, { ...(isThere ? { ...before, ...queue, entries: before.entries, at } : queue), reader });
}

function accept(found: Handed, queue: Queue): void {
  handed = found;
  writeTab(QUEUE, JSON.stringify(queue));
}
