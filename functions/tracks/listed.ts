import type { TrackColumns } from "../../db/queries/track-lists.ts";
import type { TrackNow } from "../../db/queries/tracks.ts";
import type { Env } from "../http/env.ts";
import { type KeptTrack, keep, keptTrack, remember } from "./kept.ts";
import { asTrack } from "./represent.ts";

/** Lists whose last page an isolate remembers. */
const KEPT_LISTS = 500;

/** What a list held when it was asked for last: likely what it holds now. */
const lastPages = new Map<string, number[]>();

/** What this isolate holds of the tracks that a list is likely to have. Held on to until the reply, whatever is let go meanwhile. */
export class HeldTracks {
  readonly #list: string;
  readonly #held = new Map<number, KeptTrack>();

  /** `ids` where the list names them itself. */
  constructor(list: string, ids: number[] | undefined) {
    this.#list = list;
    for (const id of ids ?? lastPages.get(list) ?? []) {
      const track = keptTrack(id);
      if (track) this.#held.set(id, track);
    }
  }

  get versions(): Record<number, string> {
    return Object.fromEntries([...this.#held].map(([id, { version }]) => [id, version]));
  }

  /** The page's tracks, each as JSON text. */
  render(env: Env, page: TrackColumns): string[] {
    const ids = page.ids ?? [];
    const favored = page.favored && new Set(page.favored);
    remember(lastPages, this.#list, ids, KEPT_LISTS);
    return ids.map((id, at) => {
      const own = page.own[at];
      if (own) return JSON.stringify(asTrack(env, own));
      const track = keep(id, this.#held.get(id), page.versions[at] ?? "", page.bodies[at]);
      return track.textFor(env, nowOf(page, at, favored ? favored.has(id) : null)).json;
    });
  }
}

const nowOf = (page: TrackColumns, at: number, favorite: boolean | null): TrackNow => ({
  access: page.access[at] ?? "blocked",
  user_favorite: favorite,
  comment_count: page.comments[at] ?? 0,
  download_count: page.downloads[at] ?? 0,
  playback_count: page.plays[at] ?? 0,
  favoritings_count: page.favoritings[at] ?? 0,
  reposts_count: page.reposts[at] ?? 0,
});
