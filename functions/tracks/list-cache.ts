import type { TrackBodies, TrackBody, TrackColumns, TrackNow } from "../../db/queries/track-columns.ts";
import type { TrackRow } from "../../db/queries/track-rows.ts";
import { toRows } from "../../db/row-shape.ts";
import { LruCache } from "../http/cache.ts";
import type { Env } from "../http/env.ts";
import { representTrack } from "./representation.ts";
import { CachedTrack, cachedTrack, cacheTrack } from "./track-cache.ts";

/** Ids of each list's last reply, likely the same next time. A list's name may be as long as its cursor. */
const lastIds = new LruCache<string, number[]>({
  maxBytes: 2 * 2 ** 20,
  bytesOf: (list, ids) => 2 * list.length + 8 * ids.length + 200,
});

/** A page of tracks as JSON, by id in the page's order. */
interface TrackTexts {
  byId: Map<number, string>;
  /** Stands for the texts in a hash. Hashing a megabyte costs more than everything else. */
  digest: () => string;
  /** Ids of further tracks that would make the reply too large. */
  rest: readonly number[];
}

/** Cached tracks that a list probably contains. Holding them until the reply protects them from eviction. */
export class CachedTracks {
  readonly #list: string;
  readonly #cached = new Map<number, CachedTrack>();

  /** `ids` is set if the list itself names them. */
  constructor(list: string, ids?: number[]) {
    this.#list = list;
    for (const id of ids ?? lastIds.get(list) ?? []) {
      const track = cachedTrack(id);
      if (track) this.#cached.set(id, track);
    }
  }

  /** `id:version` of each track that the statement need not send, separated by blanks. */
  get held(): string {
    return Array.from(this.#cached, ([id, { version }]) => `${id}:${version}`).join(" ");
  }

  render(env: Env, page: TrackColumns): TrackTexts {
    const ids = page.ids ?? [];
    const own = new Map(page.own?.map((track) => [track.id, track]));
    const bodies = bodiesOf(page.bodies);
    const nowAt = nowOf(page);
    const byId = new Map<number, string>();
    const digests: string[] = [];
    for (const [at, id] of ids.entries()) {
      const ownTrack = own.get(id);
      const now = nowAt(id, at);
      const { json, digest } = ownTrack
        ? this.#own(env, ownTrack)
        : this.#track(env, id, page.versions?.[at] ?? "", bodies.get(id), now).renderFor(now);
      digests.push(`${id} ${digest}`);
      byId.set(id, json);
    }
    lastIds.set(this.#list, ids);
    const rest = page.rest ?? [];
    return { byId, digest: () => [...digests, ...rest].join(), rest };
  }

  #own(env: Env, track: TrackRow) {
    const json = JSON.stringify(representTrack(env, track));
    return { json, digest: json };
  }

  #track(env: Env, id: number, version: string, body: TrackBody | undefined, now: TrackNow): CachedTrack {
    if (body) return cacheTrack(id, new CachedTrack(env, version, body, now));
    const cached = this.#cached.get(id);
    if (!cached) throw new Error("The database left out a body that was not cached");
    return cached;
  }
}

function nowOf(page: TrackColumns): (id: number, at: number) => TrackNow {
  const [previews, blocked] = [new Set(page.previews), new Set(page.blocked)];
  const favored = page.favored && new Set(page.favored);
  return (id, at) => ({
    access: blocked.has(id) ? "blocked" : previews.has(id) ? "preview" : "playable",
    user_favorite: favored?.has(id) ?? null,
    user_playback_count: page.played && (page.played[id] ?? 0),
    comment_count: page.comments?.[at] ?? 0,
    download_count: page.downloads?.[at] ?? 0,
    playback_count: page.plays?.[at] ?? 0,
    favoritings_count: page.favoritings?.[at] ?? 0,
    reposts_count: page.reposts?.[at] ?? 0,
  });
}

/** Returns the bodies by id. */
function bodiesOf(sent: TrackBodies | null): Map<number, TrackBody> {
  if (!sent) return new Map();
  const { owners, ...columns } = sent;
  const user = toRows({ id: columns.user_id, ...owners });
  return new Map(toRows({ ...columns, user }).map((body) => [body.id, body]));
}
