import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { type Caller, callAs } from "./caller.ts";
import { CommentRow } from "./comments.ts";
import { MiniUserRow } from "./people.ts";
import { Moment, type TimelinePage } from "./timelines.ts";
import { FoundTracks, type KnownTracks } from "./track-lists.ts";
import type { Access } from "./tracks.ts";

/** All there are, or of them those on the user's own tracks, those that are tracks, and of these some. */
export type ActivityKind = "all" | "own" | "tracks" | "affiliated" | "exclusive";

export const MiniTrackRow = () =>
  z.strictObject({
    id: z.number(),
    user_id: z.number(),
    title: z.string(),
    permalink: z.string(),
    artwork_version: z.string().nullable(),
    updated_at: z.string(),
    user: MiniUserRow(),
  });
export type MiniTrackRow = Told<typeof MiniTrackRow>;

const Happened = () =>
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
    Happened().extend({ type: z.literal("track") }),
    Happened().extend({ type: z.literal("track-sharing"), note: z.string().nullable() }),
    Happened().extend({ type: z.literal("comment"), comment_id: z.number() }),
    Happened().extend({ type: z.literal("favoriting"), user: MiniUserRow() }),
  ]);
export type ActivityRow = Told<typeof ActivityRow>;

export const ActivityList = () =>
  z.strictObject({
    activities: z.array(ActivityRow()),
    /** Of those that are tracks; null where none is. */
    tracks: FoundTracks().nullable(),
    /** Of the others, each once. */
    mini_tracks: z.array(MiniTrackRow()),
    /** Of those that are comments. */
    comments: z.array(CommentRow()),
    moment: Moment(),
    next: z.number().nullable(),
  });
export type ActivityList = Told<typeof ActivityList>;

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
  callAs(db, "list_activities", ActivityList, caller, {
    country: country ?? null,
    what: kind,
    access: access ?? null,
    page,
    known,
  });
