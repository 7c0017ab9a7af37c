import { hash } from "node:crypto";
import { LruCache } from "../http/cache.ts";

/** Tracks of a list as JSON. */
export class TrackPageText {
  /** Sent by the database. Without a mark the page is private to the viewer and not cached. */
  readonly mark: string | undefined;
  readonly ids: number[];
  readonly texts: string[];
  /** Ids of further tracks that would make the reply too large. */
  readonly rest: number[];
  readonly chars: number;
  #joined: string | undefined;
  #digest: string | undefined;

  constructor(mark: string | undefined, ids: number[], texts: string[], rest: number[] = []) {
    this.mark = mark;
    this.ids = ids;
    this.texts = texts;
    this.rest = rest;
    this.chars = texts.reduce((sum, { length }) => sum + length, 0);
  }

  /** The array's items, joined. */
  get joined(): string {
    this.#joined ??= this.texts.join(",");
    return this.#joined;
  }

  /** The same, followed by references to the rest. */
  get whole(): string {
    return this.rest.length ? [...this.texts, ...this.rest.map(reference)].join(",") : this.joined;
  }

  /** Replaces `whole` in an ETag. */
  get digest(): string {
    this.#digest ??= hash("sha256", this.whole, "base64url");
    return this.#digest;
  }

  byId(): Map<number, string> {
    return new Map(this.ids.map((id, at) => [id, this.texts[at] ?? ""]));
  }
}

/** A track by its id alone. */
export const reference = (id: number): string => `{"id":${id}}`;

/** Ids of each list's last reply, likely the same next time. A list's name may be as long as its cursor. */
const ids = new LruCache<string, number[]>({
  maxBytes: 2 * 2 ** 20,
  bytesOf: (list, cached) => 2 * list.length + 8 * cached.length + 200,
});

/** Non-Latin text takes two bytes per character, and joining stores it again. */
const pages = new LruCache<string, TrackPageText>({
  maxBytes: 16 * 2 ** 20,
  maxEntryBytes: 6 * 2 ** 20,
  bytesOf: (list, page) => 2 * list.length + 4 * page.chars + 16 * (page.ids.length + page.rest.length) + 500,
});

export const lastIds = (list: string): number[] => ids.get(list) ?? [];

export const lastPage = (list: string): TrackPageText | undefined => pages.get(list);

export function cachePage(list: string, page: TrackPageText): void {
  ids.set(list, page.ids);
  if (page.mark !== undefined && page.ids.length) pages.set(list, page);
  else pages.delete(list);
}
