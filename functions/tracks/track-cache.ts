import type { TrackBody, TrackNow } from "../../db/queries/tracks.ts";
import { LruCache } from "../http/cache.ts";
import type { Env } from "../http/env.ts";
import { representBody, representCounts } from "./representation.ts";

/** A public track as JSON, for all viewers with the same access, except its owner. Only counts are added per viewer. */
export class CachedTrack {
  readonly version: string;
  readonly updatedAt: string;
  /** Whether no countries restrict it. */
  readonly isEverywhere: boolean;
  readonly bytes: number;
  readonly #reveals: Pick<TrackBody, "reveal_comments" | "reveal_stats">;
  /** Without the closing brace. */
  readonly #text: string;

  constructor(env: Env, version: string, body: TrackBody, { access }: Pick<TrackNow, "access">) {
    const own = {
      ...{ owned: false, paywall: null, secret_hash: "", secret_sealed: null },
      ...{ encoding: null, growing: null },
    };
    this.version = version;
    this.updatedAt = body.updated_at;
    this.isEverywhere = body.available_country_codes === null;
    this.#reveals = { reveal_comments: body.reveal_comments, reveal_stats: body.reveal_stats };
    this.#text = JSON.stringify(representBody(env, { ...body, ...own, access })).slice(0, -1);
    this.bytes = OBJECT_BYTES + this.#text.length * (NON_LATIN.test(this.#text) ? 2 : 1);
  }

  textFor(now: TrackNow): string {
    const counts = representCounts({ ...now, ...this.#reveals, owned: false });
    return `${this.#text},${JSON.stringify(counts).slice(1)}`;
  }
}

/** Takes two bytes per character in V8. */
const NON_LATIN = /[^\0-\xff]/;

/** Covers the fields beside the text and the entry itself. */
const OBJECT_BYTES = 500;

/** Some 8,000 typical tracks. Each statement decides access anew. */
const cache = new LruCache<number, CachedTrack>({
  maxBytes: 24 * 2 ** 20,
  maxEntryBytes: 16 * 2 ** 10,
  bytesOf: (_id, track) => track.bytes,
});

export const cachedTrack = (id: number): CachedTrack | undefined => cache.get(id);

/** Caches a track, and returns it even if it is too large to be cached. */
export function cacheTrack(id: number, track: CachedTrack): CachedTrack {
  cache.set(id, track);
  return track;
}
