import * as z from "zod";
import type { ActivityRow } from "../../../db/queries/activities.ts";
import type { Env } from "../../lib/http/env.ts";
import { apiUrl, timestamp, urn, webUrl } from "../../lib/http/links.ts";
import { CreatedAt, kindOf, LastModified, UserId } from "../../lib/http/reply-fields.ts";
import { timelineOf } from "../../lib/http/timeline.ts";
import { about } from "../../lib/text/fields.ts";
import { Comment, representComment } from "../comments/representation.ts";
import { artworkUrl } from "../images/links.ts";
import { representTrack, Track } from "../tracks/representation.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

const MiniTrack = z
  .strictObject({
    id: Track.shape.id,
    kind: kindOf("track"),
    urn: Track.shape.urn,
    permalink: Track.shape.permalink,
    title: Track.shape.title,
    last_modified: LastModified,
    uri: Track.shape.uri,
    permalink_url: Track.shape.permalink_url,
    artwork_url: z
      .url()
      .nullable()
      .meta(about("JPEG; null without a picture.", "https://api.soundpost.example/images/0f3a-large.jpg")),
    user_id: UserId,
    user: MiniUser.describe("The user."),
  })
  .meta({ id: "MiniTrack" });
type MiniTrack = z.infer<typeof MiniTrack>;

const SharingNote = z
  .strictObject({
    text: z.string().nullable().meta(about("Null without a message.", "Please tell me what you think")),
    created_at: CreatedAt,
  })
  .describe("The owner's message, and the time of sharing.");

const Happened = {
  created_at: CreatedAt,
  tags: z
    .string()
    .nullable()
    .meta(
      about(
        "Comma-separated: `own` (on your track), `affiliated` (by somebody you follow), `exclusive` (shared with 10 people or fewer), `first` (the first track that a person you do not follow shares with you), `conversation` (a reply to your comment, or in its thread).",
        "own",
      ),
    ),
};

export const Activity = z
  .union([
    z.strictObject({
      type: z.literal("track").describe("Tells entries apart."),
      ...Happened,
      origin: Track.describe("The thing it is about."),
    }),
    z.strictObject({
      type: z.literal("track-sharing").describe("Tells entries apart."),
      ...Happened,
      origin: z
        .strictObject({ ...Track.shape, sharing_note: SharingNote })
        .describe("The thing it is about."),
    }),
    z.strictObject({
      type: z.literal("comment").describe("Tells entries apart."),
      ...Happened,
      origin: z
        .strictObject({ ...Comment.shape, track: MiniTrack.describe("The track.") })
        .describe("The thing it is about."),
    }),
    z.strictObject({
      type: z.literal("favoriting").describe("Tells entries apart."),
      ...Happened,
      origin: z
        .strictObject({ track: MiniTrack.describe("The track."), user: MiniUser.describe("The user.") })
        .describe("The thing it is about."),
    }),
  ])
  .meta({ id: "Activity" });
export type Activity = z.infer<typeof Activity>;

export const Activities = timelineOf(Activity, "me/activities").meta({ id: "Activities" });
export type Activities = z.infer<typeof Activities>;

const TAGS = ["own", "affiliated", "exclusive", "first", "conversation"] as const;

const tagsOf = (activity: ActivityRow): string | null =>
  TAGS.filter((tag) => activity[tag]).join(", ") || null;

function representMiniTrack(env: Env, { id, mini_track, owner }: ActivityRow): MiniTrack {
  const track = subjectOf(id, mini_track);
  const user = subjectOf(id, owner);
  return {
    id: track.id,
    kind: "track",
    urn: urn(env, "tracks", track.id),
    permalink: track.permalink,
    title: track.title,
    last_modified: timestamp(track.updated_at),
    uri: apiUrl(env, `/tracks/${track.id}`),
    permalink_url: webUrl(env, `/${user.permalink}/${track.permalink}`),
    artwork_url: artworkUrl(env, track),
    user_id: track.user_id,
    user: representMiniUser(user, env),
  };
}

export function representActivity(env: Env, activity: ActivityRow): Activity {
  const { id, type } = activity;
  const created_at = timestamp(activity.created_at);
  const happened = { created_at, tags: tagsOf(activity) };
  const track = () => representTrack(env, subjectOf(id, activity.track));
  switch (type) {
    case "track":
      return { type, ...happened, origin: track() };
    case "track-sharing":
      return {
        type,
        ...happened,
        origin: { ...track(), sharing_note: { text: activity.note, created_at } },
      };
    case "comment": {
      const comment = representComment(subjectOf(id, activity.comment), env);
      return { type, ...happened, origin: { ...comment, track: representMiniTrack(env, activity) } };
    }
    case "favoriting": {
      const user = representMiniUser(subjectOf(id, activity.actor), env);
      return { type, ...happened, origin: { track: representMiniTrack(env, activity), user } };
    }
  }
}

/** One statement returns activities with their subjects, so a missing subject is a bug. */
function subjectOf<Subject>(id: number | null, subject: Subject | null | undefined): Subject {
  if (!subject) throw new Error(`The database left out the subject of activity ${id}`);
  return subject;
}
