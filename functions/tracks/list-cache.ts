import type {
  Columns,
  FoundTracks,
  KnownTracks,
  TrackBodies,
  TrackColumns,
} from "../../db/queries/track-lists.ts";
import type { TrackBody, TrackNow } from "../../db/queries/tracks.ts";
import type { Env } from "../http/env.ts";
import { cachePage, lastIds, lastPage, TrackPageText } from "./page-cache.ts";
import { representTrack } from "./representation.ts";
import { type CachedTrack, cachedTrack, cacheTrack } from "./track-cache.ts";

/** Cached tracks that a list probably contains. Holding them until the reply protects them from eviction. */
export class CachedTracks {
  readonly #list: string;
  readonly #last: TrackPageText | undefined;
  readonly #cached = new Map<number, CachedTrack>();

  /** `ids` is set if the list itself names them. */
  constructor(list: string, ids: number[] | undefined) {
    this.#list = list;
    this.#last = lastPage(list);
    for (const id of ids ?? lastIds(list)) {
      const track = cachedTrack(id);
      if (track) this.#cached.set(id, track);
    }
  }

  get known(): KnownTracks {
    const cached = Array.from(this.#cached, ([id, { version }]) => `${id}:${version}`);
    return { mark: this.#last?.mark, held: cached.join(" ") };
  }

  idsOf(found: FoundTracks): number[] {
    return ("ids" in found ? found.ids : this.#last?.ids) ?? [];
  }

  render(env: Env, found: FoundTracks): TrackPageText {
    const page = "ids" in found ? this.#made(env, found) : this.#last;
    if (!page) throw new Error("The database left out a page that was not cached");
    cachePage(this.#list, page);
    return page;
  }

  #made(env: Env, page: TrackColumns): TrackPageText {
    const ids = page.ids ?? [];
    const own = new Map(page.own?.map((track) => [track.id, track]));
    const bodies = bodiesOf(page.bodies);
    const nowAt = nowOf(page);
    const texts = ids.map((id, at) => {
      const ownTrack = own.get(id);
      if (ownTrack) return JSON.stringify(representTrack(env, ownTrack));
      const track = cacheTrack(id, this.#cached.get(id), page.versions?.[at] ?? "", bodies.get(id));
      return track.textFor(env, nowAt(id, at)).json;
    });
    return new TrackPageText(page.mark ?? undefined, ids, texts, page.rest ?? []);
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
  const user = rowsOf({ id: columns.user_id, ...owners });
  return new Map(rowsOf({ ...columns, user }).map((body) => [body.id, body]));
}

/** Converts columns to rows. */
function rowsOf<Row extends { id: number }>(columns: Columns<Row>): Row[] {
  const names = Object.keys(columns) as (keyof Row)[];
  return columns.id.map((_id, at) => {
    const row: Partial<Row> = {};
    for (const name of names) row[name] = columns[name][at];
    return row as Row;
  });
}
