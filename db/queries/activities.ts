import type { Database } from "../client.ts";
import { type Caller, callAs } from "./caller.ts";
import type { CommentRow } from "./comments.ts";
import type { MiniUserRow } from "./people.ts";
import type { Moment, TimelinePage } from "./timelines.ts";
import type { FoundTracks, KnownTracks } from "./track-lists.ts";
import type { Access } from "./tracks.ts";

/** All there are, or of them those on the user's own tracks, those that are tracks, and of these some. */
export type ActivityKind = "all" | "own" | "tracks" | "affiliated" | "exclusive";

export interface MiniTrackRow {
  id: number;
  user_id: number;
  title: string;
  permalink: string;
  artwork_version: string | null;
  updated_at: string;
  user: MiniUserRow;
}

interface Happened {
  created_at: string;
  track_id: number;
  own: boolean;
  affiliated: boolean;
  exclusive: boolean;
  first: boolean;
  conversation: boolean;
}

export type ActivityRow = Happened &
  (
    | { type: "track" }
    | { type: "track-sharing"; note: string | null }
    | { type: "comment"; comment_id: number }
    | { type: "favoriting"; user: MiniUserRow }
  );

export interface ActivityList {
  activities: ActivityRow[];
  /** Of those that are tracks; null where none is. */
  tracks: FoundTracks | null;
  /** Of the others, each once. */
  mini_tracks: MiniTrackRow[];
  /** Of those that are comments. */
  comments: CommentRow[];
  moment: Moment;
  next: number | null;
}

export interface ActivityListQuery {
  kind: ActivityKind;
  /** What the caller may do with those that are tracks; anything where left out. */
  access: Access[] | undefined;
  page: TimelinePage;
  country: string | undefined;
  known: KnownTracks;
}

export const listActivities = (
  db: Database,
  caller: Caller,
  { kind, access, page, country, known }: ActivityListQuery,
) =>
  callAs<ActivityList>(
    db,
    "list_activities",
    caller,
    country ?? null,
    kind,
    access ? `{${access}}` : null,
    JSON.stringify(page),
    JSON.stringify(known),
  );
