import type { TrackBody, TrackNow } from "../../db/queries/track-columns.ts";
import { LruCache } from "../http/cache.ts";
import type { Env } from "../http/env.ts";
import { TaggedText } from "../http/etag.ts";
import { representBody, representCounts } from "./representation.ts";

/** A public track as JSON, for all viewers with the same access, except its owner. Only counts are added per viewer. */
export class CachedTrack {
  readonly #id: number;
  readonly version: string;
  readonly #updatedAt: string;
  /** Whether no countries restrict it. */
  readonly isEverywhere: boolean;
  readonly bytes: number;
  readonly #reveals: Pick<TrackBody, "reveal_comments" | "reveal_stats">;
  /** Without the closing brace. */
  readonly #text: string;

  constructor(env: Env, version: string, body: TrackBody, { access }: Pick<TrackNow, "access">) {
    const own = {
      ...{ owned: false, paywall: null, secret_hash: "", secret_sealed: null },
      ...{ encoding: null, growing: null, takedown: null },
    };
    this.#id = body.id;
    this.version = version;
    this.#updatedAt = body.updated_at;
    this.isEverywhere = body.available_country_codes === null;
    this.#reveals = { reveal_comments: body.reveal_comments, reveal_stats: body.reveal_stats };
    this.#text = JSON.stringify(representBody(env, { ...body, ...own, access })).slice(0, -1);
    this.bytes = bytesOf(this.#text);
  }

  /** `digest` stands for the JSON in a hash: it is short, and the same for the same version and counts. */
  renderFor(now: TrackNow): { json: string; digest: string } {
    const counts = this.#countsOf(now);
    return { json: `${this.#text},${counts}`, digest: this.version + counts };
  }

  taggedTextFor(now: TrackNow): TaggedText {
    const { json, digest } = this.renderFor(now);
    const last = renderings.get(this.#id);
    if (last?.digest === digest) return last.text;
    const text = new TaggedText(json, this.#updatedAt);
    renderings.set(this.#id, { digest, text });
    return text;
  }

  /** Without the opening brace. */
  #countsOf(now: TrackNow): string {
    return JSON.stringify(representCounts({ ...now, ...this.#reveals, owned: false })).slice(1);
  }
}

/** Takes two bytes per character in V8. */
const NON_LATIN = /[^\0-\xff]/;

/** Covers the fields beside the text and the entry itself. */
const OBJECT_BYTES = 500;

const bytesOf = (text: string) => OBJECT_BYTES + text.length * (NON_LATIN.test(text) ? 2 : 1);

const MAX_ENTRY_BYTES = 16 * 2 ** 10;

/** Some 8,000 typical tracks. Each statement decides access anew. */
const cache = new LruCache<number, CachedTrack>({
  maxBytes: 24 * 2 ** 20,
  maxEntryBytes: MAX_ENTRY_BYTES,
  bytesOf: (_id, track) => track.bytes,
});

/** The last reply to a request of a track alone. Most viewers share it, with its ETags. */
const renderings = new LruCache<number, { digest: string; text: TaggedText }>({
  maxBytes: 4 * 2 ** 20,
  maxEntryBytes: MAX_ENTRY_BYTES,
  bytesOf: (_id, { text }) => bytesOf(text.json),
});

export const cachedTrack = (id: number): CachedTrack | undefined => cache.get(id);

/** Caches a track, and returns it even if it is too large to be cached. */
export function cacheTrack(id: number, track: CachedTrack): CachedTrack {
  cache.set(id, track);
  return track;
}
