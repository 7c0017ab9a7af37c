import type { TrackBody, TrackNow } from "../../db/queries/tracks.ts";
import { LruCache } from "../http/cache.ts";
import type { Env } from "../http/env.ts";
import { TaggedText } from "../http/etag.ts";
import { representTrack } from "./representation.ts";

/** A rendered track and its input. */
interface Rendering {
  now: TrackNow;
  /** The database's hash of the state, which lists lack. */
  state: string | undefined;
  text: TaggedText;
}

/** A cached track. It is shared by all viewers except the owner, so it holds nothing of the owner's alone. */
export class CachedTrack {
  readonly version: string;
  /** Includes the rendered text. */
  readonly bytes: number;
  readonly #body: TrackBody;
  #last: Rendering | undefined;

  constructor(version: string, body: TrackBody) {
    this.version = version;
    this.#body = body;
    this.bytes = bytesOf(body);
  }

  /** Whether no countries restrict it. */
  get isEverywhere(): boolean {
    return this.#body.available_country_codes === null;
  }

  /** The last rendering. */
  get last(): Rendering | undefined {
    return this.#last;
  }

  /** Returns the representation for this viewer. Most requests reuse the last one. */
  textFor(env: Env, now: TrackNow, state?: string): TaggedText {
    const known = this.#last && isSame(this.#last.now, now) ? this.#last : undefined;
    const text = known?.text ?? this.#represent(env, now);
    this.#last = { now, state: state ?? known?.state, text };
    return text;
  }

  #represent(env: Env, now: TrackNow): TaggedText {
    const own = { owned: false, paywall: null, secret_hash: "", secret_sealed: null, encoding: null };
    const track = { ...this.#body, ...now, ...own, growing: null };
    return new TaggedText(JSON.stringify(representTrack(env, track)), track.updated_at);
  }
}

const isSame = (a: TrackNow, b: TrackNow): boolean =>
  a.access === b.access &&
  a.user_favorite === b.user_favorite &&
  a.user_playback_count === b.user_playback_count &&
  a.comment_count === b.comment_count &&
  a.download_count === b.download_count &&
  a.playback_count === b.playback_count &&
  a.favoritings_count === b.favoritings_count &&
  a.reposts_count === b.reposts_count;

/** Bytes of a body's fields, and characters of a representation without its texts. */
const BODY_BYTES = 1_000;
const REST_CHARS = 1_500;

/** Two bytes per character, the most that text takes. Body and representation each hold all of it. */
function bytesOf(body: TrackBody): number {
  let chars = REST_CHARS;
  for (const value of Object.values(body)) if (typeof value === "string") chars += value.length;
  return BODY_BYTES + 4 * chars;
}

/** Public tracks of other users, some 2,000 typical ones. Each statement decides access anew. */
const cache = new LruCache<number, CachedTrack>({
  maxBytes: 16 * 2 ** 20,
  maxEntryBytes: 64 * 2 ** 10,
  bytesOf: (_id, track) => track.bytes,
});

export const cachedTrack = (id: number): CachedTrack | undefined => cache.get(id);

/** `body` is undefined if the database was told that `current` is up to date. */
export function cacheTrack(
  id: number,
  current: CachedTrack | undefined,
  version: string,
  body: TrackBody | null | undefined,
): CachedTrack {
  const track = body ? new CachedTrack(version, body) : current;
  if (!track) throw new Error("The database left out a body that was not cached");
  cache.set(id, track);
  return track;
}
