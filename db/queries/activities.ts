import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { tracks } from "../schema/tracks.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAs } from "./caller.ts";
import { CommentRow } from "./comments.ts";
import { MiniUserRow } from "./people.ts";
import { Moment, type TimelinePage } from "./timelines.ts";
import { TrackColumns } from "./track-columns.ts";
import type { Access } from "./tracks.ts";

/**
 * `own` are events on the user's tracks, `tracks` made or shared ones. `affiliated` and `exclusive` are subsets of
 * `tracks`.
 */
export type ActivityKind = "all" | "own" | "tracks" | "affiliated" | "exclusive";

export const MiniTrackRow = () =>
  rowOf(tracks)
    .pick({
      ...{ id: true, user_id: true, title: true, permalink: true },
      ...{ artwork_version: true, updated_at: true },
    })
    .extend({ user: MiniUserRow() });
export type MiniTrackRow = ReplyOf<typeof MiniTrackRow>;

const ActivityFields = () =>
  z.strictObject({
    created_at: z.string(),
    track_id: z.number(),
    own: z.boolean(),
    affiliated: z.boolean(),
    exclusive: z.boolean(),
    first: z.boolean(),
    conversation: z.boolean(),
    note: z.null(),
    comment_id: z.null(),
    user: z.null(),
  });

export const ActivityRow = () =>
  z.discriminatedUnion("type", [
    ActivityFields().extend({ type: z.literal("track") }),
    ActivityFields().extend({ type: z.literal("track-sharing"), note: z.string().nullable() }),
    ActivityFields().extend({ type: z.literal("comment"), comment_id: z.number() }),
    ActivityFields().extend({ type: z.literal("favoriting"), user: MiniUserRow() }),
  ]);
export type ActivityRow = ReplyOf<typeof ActivityRow>;

export const ActivityList = () =>
  z.strictObject({
    activities: z.array(ActivityRow()),
    /** Tracks of the track activities; null if there are none. */
    tracks: TrackColumns().nullable(),
    /** Tracks of the other activities, each once. */
    mini_tracks: z.array(MiniTrackRow()),
    /** Comments of the comment activities. */
    comments: z.array(CommentRow()),
    moment: Moment(),
    next: z.number().nullable(),
  });
export type ActivityList = ReplyOf<typeof ActivityList>;

interface ActivityListQuery {
  kind: ActivityKind;
  /** Limits track activities by access. `undefined` means any. */
  access: Access[] | undefined;
  page: TimelinePage;
  country: string | undefined;
  held: string;
}

export const listActivities = (
  db: Database,
  caller: Caller,
  { kind, access, page, country, held }: ActivityListQuery,
) =>
  callAs(db, "list_activities", ActivityList, caller, {
    country: country ?? null,
    what: kind,
    access: access ?? null,
    page,
    held,
  });
