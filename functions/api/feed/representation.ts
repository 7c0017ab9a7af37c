import * as z from "zod";
import type { FeedRow, PostKind } from "../../../db/queries/feed.ts";
import type { Env } from "../../lib/http/env.ts";
import { timestamp, urn } from "../../lib/http/links.ts";
import { timelineOf } from "../../lib/http/timeline.ts";
import { about } from "../../lib/text/fields.ts";
import { Playlist, representPlaylist } from "../playlists/representation.ts";
import { representTrack, Track } from "../tracks/representation.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

const FeedOrigin = z.union([Track, Playlist]).meta({ id: "FeedOrigin" });

const FeedItem = z
  .strictObject({
    type: z.enum(["track", "track:repost", "playlist", "playlist:repost"]).describe("Tells entries apart."),
    created_at: z
      .string()
      .meta(about("Time of the first publication, or of the repost.", "2026/11/23 12:00:00 +0000")),
    tags: z
      .string()
      .nullable()
      .meta(
        about(
          "Comma-separated: `affiliated` (by somebody you follow), `own` (a repost of your track or playlist).",
          "own",
        ),
      ),
    origin: FeedOrigin.describe("The track, or the playlist without its tracks."),
    reposter: z
      .string()
      .optional()
      .meta(about("URN of the reposter; only on reposts.", "soundcloud:users:338914811904777")),
    reposter_user: MiniUser.optional().describe("The user of `reposter`."),
  })
  .meta({ id: "FeedItem" });
type FeedItem = z.infer<typeof FeedItem>;

const FeedTrack = z
  .strictObject({
    ...FeedItem.shape,
    type: z.enum(["track", "track:repost"]).describe("Tells entries apart."),
    origin: Track.describe("The thing it is about."),
  })
  .meta({ id: "FeedTrack" });

export const Feed = timelineOf(FeedItem, "me/feed").meta({ id: "Feed" });
export type Feed = z.infer<typeof Feed>;

export const TrackFeed = timelineOf(FeedTrack, "me/feed/tracks").meta({ id: "TrackFeed" });

const TYPES: Record<PostKind, FeedItem["type"]> = {
  track: "track",
  "track-repost": "track:repost",
  playlist: "playlist",
  "playlist-repost": "playlist:repost",
};

export function representPost(env: Env, post: FeedRow, userId: number): FeedItem {
  const { kind, posted_at, reposter, subject } = post;
  const { user_id } = "track" in subject ? subject.track : subject.playlist;
  return {
    type: TYPES[kind],
    created_at: timestamp(posted_at),
    tags: reposter && user_id === userId ? "own, affiliated" : "affiliated",
    ...(reposter && {
      reposter: urn(env, "users", reposter.id),
      reposter_user: representMiniUser(reposter, env),
    }),
    origin:
      "track" in subject ? representTrack(env, subject.track) : representPlaylist(env, subject.playlist),
  };
}
