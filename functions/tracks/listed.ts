import type { TrackBody, TrackColumns } from "../../db/queries/track-lists.ts";
import type { TrackRow } from "../../db/queries/tracks.ts";
import type { Env } from "../http/env.ts";
import { asTrack } from "./represent.ts";

/** Tracks that an isolate keeps, and lists whose last page it remembers. A track takes about 5 KB. */
const KEPT_TRACKS = 2000;
const KEPT_LISTS = 500;

interface Kept {
  version: string;
  body: TrackBody;
  /** The last JSON made of it, and of what else that was made. */
  json: string;
  seen: string;
}

/** Of others' public tracks, so nothing in it is anybody's own; who may have which is the statement's word each time. */
const kept = new Map<number, Kept>();

/** What a list held when it was asked for last: likely what it holds now. */
const lastPages = new Map<string, number[]>();

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) for (const [oldest] of map) return void map.delete(oldest);
}

/** What this isolate holds of the tracks that a list is likely to have. Held on to until the reply, whatever is let go meanwhile. */
export class HeldTracks {
  readonly #list: string;
  readonly #held = new Map<number, Kept>();

  /** `ids` where the list names them itself. */
  constructor(list: string, ids: number[] | undefined) {
    this.#list = list;
    for (const id of ids ?? lastPages.get(list) ?? []) {
      const track = kept.get(id);
      if (track) this.#held.set(id, track);
    }
  }

  get versions(): Record<number, string> {
    return Object.fromEntries([...this.#held].map(([id, { version }]) => [id, version]));
  }

  /** The page's tracks, each as JSON text: most were made before. */
  render(env: Env, page: TrackColumns): string[] {
    const ids = page.ids ?? [];
    const favored = page.favored && new Set(page.favored);
    remember(lastPages, this.#list, ids, KEPT_LISTS);
    return ids.map((id, at) => {
      const own = page.own[at];
      if (own) return JSON.stringify(asTrack(env, own));
      const track = this.#trackOf(page, id, at);
      const favorite = favored ? favored.has(id) : null;
      const { comments, downloads, plays, favoritings, reposts } = page;
      const counts = [comments, downloads, plays, favoritings, reposts].map((of) => of[at]);
      const seen = `${page.access[at]} ${favorite} ${counts}`;
      if (track.seen !== seen) {
        track.json = JSON.stringify(asTrack(env, rowOf(track.body, page, at, favorite)));
        track.seen = seen;
      }
      remember(kept, id, track, KEPT_TRACKS);
      return track.json;
    });
  }

  #trackOf(page: TrackColumns, id: number, at: number): Kept {
    const body = page.bodies[at];
    const track = body ? { version: page.versions[at] ?? "", body, json: "", seen: "" } : this.#held.get(id);
    if (!track) throw new Error("The database left out a body that was not held");
    return track;
  }
}

/** A row as its representation reads it, for someone who is not the owner. */
function rowOf(body: TrackBody, page: TrackColumns, at: number, favorite: boolean | null): TrackRow {
  return {
    ...body,
    access: page.access[at] ?? "blocked",
    owned: false,
    user_favorite: favorite,
    comment_count: page.comments[at] ?? 0,
    download_count: page.downloads[at] ?? 0,
    playback_count: page.plays[at] ?? 0,
    favoritings_count: page.favoritings[at] ?? 0,
    reposts_count: page.reposts[at] ?? 0,
    paywall: null,
    secret_hash: "",
    secret_sealed: null,
    encoding: null,
  };
}
