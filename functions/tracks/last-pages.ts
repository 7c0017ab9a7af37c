import { hash } from "node:crypto";
import { remember } from "../http/remember.ts";

/** Tracks of a list as JSON. */
export class TrackPageText {
  /** As the database sent it; without one the page is the reader's alone, and not kept. */
  readonly mark: string | undefined;
  readonly ids: number[];
  readonly texts: string[];
  #joined: string | undefined;
  #digest: string | undefined;

  constructor(mark: string | undefined, ids: number[], texts: string[]) {
    this.mark = mark;
    this.ids = ids;
    this.texts = texts;
  }

  /** As they stand in an array. */
  get joined(): string {
    this.#joined ??= this.texts.join(",");
    return this.#joined;
  }

  /** In place of `joined` where an ETag is made of it. */
  get digest(): string {
    this.#digest ??= hash("sha256", this.joined, "base64url");
    return this.#digest;
  }

  byId(): Map<number, string> {
    return new Map(this.ids.map((id, at) => [id, this.texts[at] ?? ""]));
  }
}

/** Lists whose last page an isolate remembers. */
const KEPT_LISTS = 500;
/** Tracks of pages that are kept whole: 2 KB each, once more where they were joined. */
const KEPT_IN_PAGES = 2000;

/** What a list held when it was asked for last: likely what it holds now. */
const ids = new Map<string, number[]>();
const pages = new Map<string, TrackPageText>();
let keptInPages = 0;

export const lastIds = (list: string): number[] => ids.get(list) ?? [];

export const lastPage = (list: string): TrackPageText | undefined => pages.get(list);

export function rememberPage(list: string, page: TrackPageText): void {
  remember(ids, list, page.ids, KEPT_LISTS);
  letGo(list);
  if (page.mark === undefined || !page.ids.length) return;
  pages.set(list, page);
  keptInPages += page.ids.length;
  for (const oldest of pages.keys()) {
    if (keptInPages <= KEPT_IN_PAGES) return;
    letGo(oldest);
  }
}

function letGo(list: string): void {
  keptInPages -= pages.get(list)?.ids.length ?? 0;
  pages.delete(list);
}
