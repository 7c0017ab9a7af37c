import type { Ask, Sources } from "./engine.ts";
import { ask, untilEncoded } from "./player-patience.ts";
import { type Entry, keyOf } from "./player-queue.ts";
import { REASONS } from "./player-trouble.ts";

/** Addresses and words of tracks, as /you/sources answers them. A track is known by its id and secret. */

type Known = Pick<Entry, "id" | "secret">;

export interface PlayerChapter {
  /** Milliseconds. */
  start: number;
  title: string;
}

/** The answer, which pages of tracks hold too. */
export interface TrackSources extends Sources {
  /** Milliseconds of the whole track. */
  trackMs: number;
  lufs?: number;
  waveform?: string;
  title: string;
  artist: string;
  /** Address of the `t300x300` JPEG. */
  artwork: string;
  page: string;
  artistPage: string;
  /** Those that its page lists, if any. */
  chapters?: PlayerChapter[];
  /** Whether the reader likes it. Undefined for a visitor. */
  liked?: boolean;
}

/** Milliseconds. Addresses last for an hour at least. */
const KEPT_FOR_MS = 20 * 60_000;

const known = new Map<string, { promise: Promise<TrackSources>; atMs: number }>();

/** Says that a track was encoded meanwhile. */
class EncodeEnd extends Event {
  readonly key: string;

  constructor(key: string) {
    super("change");
    this.key = key;
  }
}

/** Dispatches "change". */
export const news = new EventTarget();

/** Calls `hear` with the key of each track that was encoded meanwhile. */
export const hearNews = (hear: (key: string) => void, signal?: AbortSignal): void =>
  news.addEventListener("change", (event) => event instanceof EncodeEnd && hear(event.key), { signal });

/** A page that shows a track brings its sources. */
export const learn = (track: Known, sources: TrackSources): unknown =>
  known.set(keyOf(track), { promise: Promise.resolve(sources), atMs: Date.now() });

/** Lets an engine ask for a track. */
export const askFor =
  (track: Known): Ask<TrackSources> =>
  async (isFresh) => {
    const sources = await sourcesOf(track, isFresh);
    return { ...sources, trouble: REASONS[sources.state] };
  };

/** Resolves to the sources of a track. Rejects with the reply's status, or without one if none came. */
export function sourcesOf(track: Known, isFresh = false): Promise<TrackSources> {
  const key = keyOf(track);
  const cached = known.get(key);
  if (cached && !isFresh && Date.now() - cached.atMs < KEPT_FOR_MS) return cached.promise;
  const promise = fetchSources(track);
  known.set(key, { promise, atMs: Date.now() });
  promise.then(
    // Its state changes soon.
    ({ state }) => state === "processing" && known.delete(key),
    () => known.delete(key),
  );
  return promise;
}

/** The site's host, for pages of others. */
const home = () => document.querySelector('meta[name="home"]')?.getAttribute("content") ?? "";

async function fetchSources({ id, secret }: Known): Promise<TrackSources> {
  const query = secret ? `?${new URLSearchParams({ secret_token: secret })}` : "";
  const reply = await ask(`${home()}/you/sources/${id}${query}`, "application/json");
  return reply.json();
}

const followed = new Set<string>();

/** Tells the news once the encode has ended, unless its track was deleted. Playback goes on meanwhile. */
export async function followEncode(track: Known): Promise<void> {
  const key = keyOf(track);
  if (followed.has(key)) return;
  followed.add(key);
  const encoded = await untilEncoded(() => sourcesOf(track, true));
  followed.delete(key);
  if (encoded) news.dispatchEvent(new EncodeEnd(key));
}
