import type { Database } from "../client.ts";
import type { MiniUserRow, UserRow } from "./people.ts";
import type { PlaylistRow } from "./playlists.ts";
import type { Named } from "./resolve.ts";
import { type EncodingRow, type Presented, presented, type TrackRow } from "./tracks.ts";

/** A track as a list on a page shows it. */
export interface SiteItem {
  id: number;
  title: string;
  permalink: string;
  artist: string | null;
  duration_ms: number | null;
  state: TrackRow["state"];
  sharing: TrackRow["sharing"];
  access: TrackRow["access"];
  artwork_version: string | null;
  user: MiniUserRow;
}

export interface SiteComment {
  /** Milliseconds. */
  timestamp: number;
  username: string;
  /** HTML. */
  body: string;
}

/** What stands at an address of the site. Nothing where none of the three is there. */
export interface SitePage {
  track?: TrackRow;
  playlist?: PlaylistRow;
  user?: UserRow;
  /** Of a playlist, or of a user. */
  items: SiteItem[];
  /** That of the items which is to be played. */
  played: TrackRow | null;
  /** Of a track, where its owner's browser asks. */
  encoding?: EncodingRow | null;
  /** Timed ones on what is played, in the order of its time. */
  comments: SiteComment[];
}

/**
 * As visitors see it. `at`: which of the items is to be played; left out, only what is at the address itself.
 * `siteSession`: the hash of the browser's, which shows a track's owner how the encode went.
 */
export const findPage = (
  db: Database,
  { kind, id, owner, permalink }: Partial<Named>,
  with_: Presented,
  at?: number,
  siteSession?: string,
): Promise<SitePage> =>
  db.call("find_page", [
    kind ?? null,
    id ?? null,
    owner ?? null,
    permalink ?? null,
    ...presented(with_),
    at !== undefined,
    at ?? 0,
    siteSession ?? null,
  ]);
