import * as z from "zod";
import type { FeedItem as FeedRow, PostKind } from "../../db/queries/feed.ts";
import { type Links, timestamp, urn } from "../http/links.ts";
import { timelineOf } from "../http/timeline.ts";
import { Playlist } from "../playlists/representation.ts";
import { Track } from "../tracks/representation.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

const posted = {
  created_at: z.string().describe("When it was posted: made public, or reposted."),
  tags: z
    .string()
    .nullable()
    .describe("Comma-separated: `affiliated`, of somebody you follow; `own`, a repost of what is yours."),
};

const passedOn = {
  reposter: z.string().optional().describe("URN of who reposted it; only of reposts."),
  reposter_user: MiniUser.optional().describe("Who `reposter` names."),
};

const FeedTrack = z
  .strictObject({ type: z.enum(["track", "track:repost"]), ...posted, origin: Track, ...passedOn })
  .meta({ id: "FeedTrack" });

const FeedPlaylist = z
  .strictObject({
    type: z.enum(["playlist", "playlist:repost"]),
    ...posted,
    origin: Playlist.describe("Without its tracks."),
    ...passedOn,
  })
  .meta({ id: "FeedPlaylist" });

export const Feed = timelineOf(z.union([FeedTrack, FeedPlaylist])).meta({ id: "Feed" });
export type Feed = z.infer<typeof Feed>;

export const TrackFeed = timelineOf(FeedTrack).meta({ id: "TrackFeed" });

const TYPES: Record<PostKind, Feed["collection"][number]["type"]> = {
  track: "track",
  "track-repost": "track:repost",
  playlist: "playlist",
  "playlist-repost": "playlist:repost",
};

/** Without its origin, which comes as JSON already. */
export const representPost = ({ kind, posted_at, own, reposter }: FeedRow, links: Links) => ({
  type: TYPES[kind],
  created_at: timestamp(posted_at),
  tags: own ? "own, affiliated" : "affiliated",
  ...(reposter && {
    reposter: urn(links, "users", reposter.id),
    reposter_user: representMiniUser(reposter, links),
  }),
});
