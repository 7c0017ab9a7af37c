import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAs } from "./caller.ts";
import { MiniUserRow } from "./people.ts";
import { PlaylistRow, type Reading } from "./playlists.ts";
import { Moment, type TimelinePage } from "./timelines.ts";
import { type OrderedColumnsQuery, OrderedTracks, TrackColumns } from "./track-columns.ts";
import type { Access } from "./tracks.ts";

export const PostKind = () => z.enum(["track", "track-repost", "playlist", "playlist-repost"]);
export type PostKind = ReplyOf<typeof PostKind>;

export const FeedRow = () =>
  z.strictObject({
    kind: PostKind(),
    posted_at: z.string(),
    /** Id of the track or playlist. */
    subject_id: z.number(),
    /** True if the reader owns the subject. */
    own: z.boolean(),
    /** Null for the owner's own post. */
    reposter: MiniUserRow().nullable(),
  });
export type FeedRow = ReplyOf<typeof FeedRow>;

const Feed = () =>
  z.strictObject({
    items: z.array(FeedRow()),
    /** Subjects of the items, each once. */
    tracks: TrackColumns(),
    playlists: z.array(PlaylistRow()),
    next: z.number().nullable(),
    moment: Moment(),
  });

interface FeedQuery extends Reading {
  kinds: readonly PostKind[];
  /** Limits tracks by access. `undefined` means any. */
  access: Access[] | undefined;
  page: TimelinePage;
}

/** Lists posts of users that the caller follows. */
export const listFeed = (db: Database, caller: Caller, { kinds, access, page, country, held }: FeedQuery) =>
  callAs(db, "list_feed", Feed, caller, {
    country: country ?? null,
    kinds,
    access: access ?? null,
    page,
    held,
  });

/** End of a page. */
export const FollowedPosition = () =>
  z.strictObject({
    key: z.number(),
  });
export type FollowedPosition = ReplyOf<typeof FollowedPosition>;

/** Lists tracks of users that the caller follows, newest publication first. */
export const listFollowedTracks = (
  db: Database,
  caller: Caller,
  country: string | undefined,
  { filter, page, held }: OrderedColumnsQuery<FollowedPosition>,
) =>
  callAs(db, "list_followed_tracks", () => OrderedTracks(FollowedPosition()), caller, {
    country: country ?? null,
    filter,
    page,
    held,
  });
