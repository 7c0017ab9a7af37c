import * as z from "zod";
import type { ActivityList, ActivityRow, MiniTrackRow } from "../../db/queries/activities.ts";
import { Comment, representComment } from "../comments/representation.ts";
import { apiUrl, type Links, timestamp, urn, webUrl } from "../http/links.ts";
import { timelineOf } from "../http/timeline.ts";
import { artworkUrl } from "../images/links.ts";
import { Track } from "../tracks/representation.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

const MiniTrack = z
  .strictObject({
    id: z.int(),
    kind: z.literal("track"),
    urn: z.string(),
    permalink: z.string(),
    title: z.string(),
    last_modified: z.string(),
    uri: z.url(),
    permalink_url: z.url(),
    artwork_url: z.url().nullable(),
    user_id: z.int(),
    user: MiniUser,
  })
  .meta({ id: "MiniTrack" });
type MiniTrack = z.infer<typeof MiniTrack>;

const SharingNote = z
  .strictObject({ text: z.string().nullable(), created_at: z.string() })
  .describe("The owner's message, and the time of sharing.");

const Happened = {
  created_at: z.string(),
  tags: z
    .string()
    .nullable()
    .describe(
      "Comma-separated: `own` (on your track), `affiliated` (by somebody you follow), `exclusive` (shared with 10 people or fewer), `first` (the first track that a person you do not follow shares with you), `conversation` (a reply to your comment).",
    ),
};

export const Activity = z
  .union([
    z.strictObject({ type: z.literal("track"), ...Happened, origin: Track }),
    z.strictObject({
      type: z.literal("track-sharing"),
      ...Happened,
      origin: z.strictObject({ ...Track.shape, sharing_note: SharingNote }),
    }),
    z.strictObject({
      type: z.literal("comment"),
      ...Happened,
      origin: z.strictObject({ ...Comment.shape, track: MiniTrack }),
    }),
    z.strictObject({
      type: z.literal("favoriting"),
      ...Happened,
      origin: z.strictObject({ track: MiniTrack, user: MiniUser }),
    }),
  ])
  .meta({ id: "Activity" });
export type Activity = z.infer<typeof Activity>;

export const Activities = timelineOf(Activity).meta({ id: "Activities" });
export type Activities = z.infer<typeof Activities>;

const TAGS = ["own", "affiliated", "exclusive", "first", "conversation"] as const;

const tagsOf = (activity: ActivityRow): string | null =>
  TAGS.filter((tag) => activity[tag]).join(", ") || null;

function representMiniTrack(track: MiniTrackRow, links: Links): MiniTrack {
  return {
    id: track.id,
    kind: "track",
    urn: urn(links, "tracks", track.id),
    permalink: track.permalink,
    title: track.title,
    last_modified: timestamp(track.updated_at),
    uri: apiUrl(links, `/tracks/${track.id}`),
    permalink_url: webUrl(links, `/${track.user.permalink}/${track.permalink}`),
    artwork_url: artworkUrl(links, track.artwork_version),
    user_id: track.user_id,
    user: representMiniUser(track.user, links),
  };
}

/** Returns each activity as JSON. `tracks` holds JSON by id, mostly from the cache. */
export function activityTexts(list: ActivityList, tracks: Map<number, string>, links: Links): string[] {
  const minis = new Map(list.mini_tracks.map((track) => [track.id, representMiniTrack(track, links)]));
  const comments = new Map(list.comments.map((comment) => [comment.id, representComment(comment, links)]));

  function originOf(activity: ActivityRow): string {
    const { type, track_id } = activity;
    switch (type) {
      case "track":
        return subjectOf(tracks, track_id);
      case "track-sharing": {
        const note = { text: activity.note, created_at: timestamp(activity.created_at) };
        return `${subjectOf(tracks, track_id).slice(0, -1)},"sharing_note":${JSON.stringify(note)}}`;
      }
      case "comment":
        return JSON.stringify({
          ...subjectOf(comments, activity.comment_id),
          track: subjectOf(minis, track_id),
        });
      case "favoriting":
        return JSON.stringify({
          track: subjectOf(minis, track_id),
          user: representMiniUser(activity.user, links),
        });
    }
  }

  return list.activities.map((activity) => {
    const { type, created_at } = activity;
    const happened = JSON.stringify({ type, created_at: timestamp(created_at), tags: tagsOf(activity) });
    return `${happened.slice(0, -1)},"origin":${originOf(activity)}}`;
  });
}

/** One statement returns the activities together with their subjects, so a missing one is a bug. */
function subjectOf<Value>(values: Map<number, Value>, id: number): Value {
  const value = values.get(id);
  if (value === undefined) throw new Error(`The database left out ${id}, the subject of an activity`);
  return value;
}
