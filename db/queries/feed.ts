import type { Database } from "../client.ts";
import { type Caller, callAs } from "./caller.ts";
import type { MiniUserRow } from "./people.ts";
import type { PlaylistRow, Reading } from "./playlists.ts";
import type { Moment, TimelinePage } from "./timelines.ts";
import type { FoundTracks, KnownTracks } from "./track-lists.ts";
import type { Access } from "./tracks.ts";

export type PostKind = "track" | "track-repost" | "playlist" | "playlist-repost";

export interface FeedRow {
  kind: PostKind;
  posted_at: string;
  /** Of the track or playlist. */
  subject_id: number;
  /** It is the reader's own. */
  own: boolean;
  /** Who passed it on; null where it is the owner's own post. */
  reposter: MiniUserRow | null;
}

interface Feed {
  items: FeedRow[];
  /** What the items are of, each once. */
  tracks: FoundTracks;
  playlists: PlaylistRow[];
  next: number | null;
  moment: Moment;
}

interface FeedQuery extends Reading {
  kinds: readonly PostKind[];
  /** What the reader may do with the tracks; anything where left out. */
  access: Access[] | undefined;
  page: TimelinePage;
}

/** What those posted whom the caller follows. */
export const listFeed = (db: Database, caller: Caller, { kinds, access, page, country, known }: FeedQuery) =>
  callAs<Feed>(
    db,
    "list_feed",
    caller,
    country ?? null,
    `{${kinds}}`,
    access ? `{${access}}` : null,
    JSON.stringify(page),
    JSON.stringify(known),
  );

/** Where a page ended. */
export interface FollowedPosition {
  key: number;
}

interface FollowedTracksQuery {
  /** As `find_tracks` reads it. */
  filter: object;
  page: { limit: number; offset: number; ascending?: boolean | undefined } & Partial<FollowedPosition>;
  known: KnownTracks;
}

/** Tracks of those whom the caller follows, newest in public first. */
export const listFollowedTracks = (
  db: Database,
  caller: Caller,
  country: string | undefined,
  { filter, page, known }: FollowedTracksQuery,
) =>
  callAs<{ found: true; tracks: FoundTracks; next: FollowedPosition | null }>(
    db,
    "list_followed_tracks",
    caller,
    country ?? null,
    JSON.stringify(filter),
    JSON.stringify(page),
    JSON.stringify(known),
  );
