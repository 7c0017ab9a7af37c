import type { Playlist } from "../../../api/playlists/representation.ts";
import type { Track } from "../../../api/tracks/representation.ts";

/** A page of the API's lists, with `linked_partitioning`. */
export interface PageOf<Item> {
  collection: Item[];
  next_href?: string;
  /** The words that were searched for in place of those typed. */
  corrected_q?: string;
}

export type TrackPage = PageOf<Track>;
export type SetPage = PageOf<Playlist>;

/** Items per page. */
const LIMIT = "30";

/** Makes the path of a page of the API's list. Omits undefined and empty parameters. */
export function listPath(path: string, parameters: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams({ linked_partitioning: "true", limit: LIMIT });
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return `${path}?${query}`;
}

/** Quotes a text as one entry of the API's comma lists. */
export const entryOf = (words: string): string => `"${words.replaceAll('"', '""')}"`;
