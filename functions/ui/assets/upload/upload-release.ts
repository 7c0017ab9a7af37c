import type { Item } from "./upload-item.ts";
import { isUnder, items } from "./upload-list.ts";
import { forget, nameOf, readStored, store } from "./upload-memory.ts";
import { tell } from "./upload-news.ts";

/** The release that the page's files are to become. It outlives the page, and what was typed outlives the browser. */

const MEMORY = "release";

/** Fields that the files' tags may give, each with the tag's name. */
const FROM_TAGS = {
  title: "album",
  artist: "album_artist",
  genre: "genre",
  label_name: "label_name",
  release_date: "release_date",
} as const;

type Words = Record<string, string>;

interface Stored {
  values?: Words;
  edited?: string[];
  /** Names of files. */
  order?: string[];
  left?: string[];
  isOrdered?: boolean;
  isWanted?: boolean;
  key?: string;
}

export class Release {
  values: Words;
  readonly edited: Set<string>;
  artwork: File | undefined;
  /** Whether "Publish" was pressed. It then waits only until each file is a track. */
  isWanted: boolean;
  isBusy = false;
  problems: Record<string, string> = {};
  problem: string | undefined;
  /** The set, once it is published. */
  published: { title: string; url: string; publishAt: string | null } | undefined;
  /** Makes a repeated request one. */
  readonly key: string;
  #order: string[];
  /** Files that were left out. */
  #left: string[];
  /** Whether the person chose the order. Before, the tags' numbers decide. */
  #isOrdered: boolean;

  constructor(stored: Stored) {
    this.values = { type: "ep", license: "all-rights-reserved", ...stored.values };
    this.edited = new Set(stored.edited);
    this.isWanted = stored.isWanted ?? false;
    this.key = stored.key ?? crypto.randomUUID();
    this.#order = stored.order ?? [];
    this.#left = stored.left ?? [];
    this.#isOrdered = stored.isOrdered ?? false;
  }

  /** Its files that the page has, in order. */
  get items(): Item[] {
    const names = new Map(items.map((item) => [nameOf(item), item]));
    return this.#order.flatMap((name) => names.get(name) ?? []);
  }

  /** Names of its files that the page has not: nothing of them was sent before a reload. */
  get missing(): string[] {
    const names = new Set(items.map(nameOf));
    return this.#order.filter((name) => !names.has(name)).map((name) => name.replace(/ \d+ \d+$/, ""));
  }

  /** Takes in files that have come, and what their tags say. */
  refresh(): void {
    if (this.published) return;
    for (const item of items.filter(isFree)) {
      const name = nameOf(item);
      if (!this.#order.includes(name) && !this.#left.includes(name)) this.#order.push(name);
    }
    const present = this.items;
    if (!this.#isOrdered && present.every(({ values }) => values.track_number)) {
      const sorted = present.toSorted((one, other) => placeOf(one) - placeOf(other)).map(nameOf);
      this.#order = [...sorted, ...this.#order.filter((name) => !sorted.includes(name))];
    }
    for (const [field, tag] of Object.entries(FROM_TAGS))
      if (!this.edited.has(field)) this.values[field] = common(present, tag);
    if (!this.edited.has("artwork_data"))
      this.artwork = present.find(({ artwork }) => artwork)?.artwork ?? this.artwork;
  }

  edit(field: string, value: string): void {
    this.values[field] = value;
    this.edited.add(field);
    delete this.problems[field];
    this.changed();
  }

  setArtwork(file: File): void {
    this.artwork = file;
    this.edited.add("artwork_data");
    delete this.problems.artwork_data;
    tell();
  }

  /** Moves a file by some places. Returns its new place, from 0. */
  move(item: Item, by: number): number {
    const moved = this.items;
    const at = moved.indexOf(item);
    const to = Math.min(Math.max(0, at + by), moved.length - 1);
    moved.splice(to, 0, ...moved.splice(at, 1));
    const names = moved.map(nameOf);
    this.#order = [...names, ...this.#order.filter((name) => !names.includes(name))];
    this.#isOrdered = true;
    this.changed();
    return to;
  }

  leaveOut(item: Item): void {
    const name = nameOf(item);
    this.#order = this.#order.filter((each) => each !== name);
    this.#left.push(name);
    this.changed();
  }

  /** A change may remove the hindrance of before. */
  changed(): void {
    this.problem = undefined;
    this.remember();
    tell();
  }

  stop(problem: string): void {
    this.isWanted = false;
    this.problem = problem;
    this.remember();
    tell();
  }

  remember(): void {
    const { values, edited, isWanted, key } = this;
    const [order, left, isOrdered] = [this.#order, this.#left, this.#isOrdered];
    store(MEMORY, { values, edited: [...edited], order, left, isOrdered, isWanted, key });
  }
}

/** Undefined while the files go their own ways. */
let present: Release | undefined;

export const currentRelease = (): Release | undefined => present;

export function beginRelease(type: string): Release {
  present = new Release({ values: { type } });
  present.refresh();
  present.remember();
  return present;
}

/** Takes up the release of before a reload. */
export function recallRelease(): void {
  const stored = readStored<Stored>(MEMORY);
  if (!stored || present) return;
  present = new Release(stored);
  const { missing } = present;
  if (!missing.length) return;
  const files = missing.join(", ");
  present.stop(`Choose again what was not uploaded, or the release is published without it: ${files}.`);
}

export function endRelease(): void {
  present = undefined;
  forget(MEMORY);
  tell();
}

/** Published ones keep their cards. */
export function notePublished(release: Release, published: NonNullable<Release["published"]>): void {
  release.published = published;
  release.isWanted = false;
  forget(MEMORY);
}

const isAway = isUnder("elsewhere", "removing");

/** Files that no release has yet. */
export const isFree = (item: Item): boolean =>
  !isAway(item) && item.track?.sharing !== "public" && !item.track?.publish_at;

/** Numbers of discs come first. */
const placeOf = ({ values }: Item): number =>
  Number(values.disc_number ?? 1) * 1000 + Number(values.track_number ?? 999);

/** The value that all files share, or none. An album's artist may stand for the tracks'. */
function common(members: Item[], tag: string): string {
  const valuesOf = members.map(
    ({ values }) => values[tag] || (tag === "album_artist" && values.artist) || "",
  );
  const [first = ""] = valuesOf;
  return valuesOf.every((value) => value === first) ? first : "";
}
