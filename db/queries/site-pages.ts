import type { Database } from "../client.ts";
import type { MiniUserRow, UserRow } from "./people.ts";
import type { PlaylistRow } from "./playlists.ts";
import type { Named } from "./resolve.ts";
import { type Presented, presented, type TrackRow } from "./tracks.ts";

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
  /** Timed ones on what is played, in the order of its time. */
  comments: SiteComment[];
}

/** For visitors, who have no session. `at`: which of the items is to be played; left out, only what is at the address itself. */
export const findPage = (
  db: Database,
  { kind, id, owner, permalink }: Partial<Named>,
  with_: Presented,
  at?: number,
): Promise<SitePage> =>
  db.call("find_page_v1", [
    kind ?? null,
    id ?? null,
    owner ?? null,
    permalink ?? null,
    ...presented(with_),
    at !== undefined,
    at ?? 0,
  ]);
