import type { Context } from "hono";
import * as z from "zod";
import {
  type FollowedPosition,
  listFeed,
  listFollowedTracks,
  type PostKind,
} from "../../../db/queries/feed.ts";
import { countryOf } from "../../lib/http/country.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { Routes } from "../../lib/http/route.ts";
import { readTimeline, TIMELINE, TimelinePaging } from "../../lib/http/timeline.ts";
import { listOf } from "../../lib/text/search.ts";
import { TrackListQuery, Tracks } from "../tracks/list.ts";
import { sendTrackList } from "../tracks/ordered-page.ts";
import { Access } from "../tracks/vocabulary.ts";
import { ALL_POSTS, feedOf, feedScope, POSTS_OF_TRACKS } from "./page.ts";
import { Feed, TrackFeed } from "./representation.ts";

const FeedQuery = z.object({
  access: listOf(Access, Access.options.length)
    .optional()
    .describe(
      "`playable`, `preview`, `blocked`, comma-separated. Filters by your access to the tracks; playlists stay. A page searches 20,000 posts at most; the list ends if too few of them match.",
    ),
  ...TimelinePaging.shape,
});

export const feed = new Routes();

feed.get(
  "/me/feed",
  {
    operationId: "listFeed",
    summary: "List posts and reposts of users you follow",
    description: `Lists tracks and playlists by time of publication or repost. Each post and each repost is a separate item. ${TIMELINE}`,
    auth: "user",
    query: FeedQuery,
    replies: { 200: Feed },
  },
  (c, { query }) => feedPage(c, query, ALL_POSTS),
);

feed.get(
  "/me/feed/tracks",
  {
    operationId: "listFeedTracks",
    summary: "List tracks posted and reposted by users you follow",
    description: TIMELINE,
    auth: "user",
    query: FeedQuery,
    replies: { 200: TrackFeed },
  },
  (c, { query }) => feedPage(c, query, POSTS_OF_TRACKS),
);

/** Separate, because `/me/followings/tracks` also matches `/me/followings/{userId}`. */
export const followedTracks = new Routes();

followedTracks.get(
  "/me/followings/tracks",
  {
    operationId: "listFollowedTracks",
    summary: "List tracks of users you follow, newest first",
    description:
      "Sorted by publication, without reposts; `/me/feed/tracks` includes those. Takes the filters of `/tracks`. A " +
      "search does not change the order; `sort` uses that time. A page searches 20,000 tracks at most; the list ends if too " +
      "few of them match.",
    auth: "user",
    query: TrackListQuery,
    replies: { 200: Tracks },
  },
  (c, { query }) =>
    sendTrackList<FollowedPosition>(c, query, {
      name: "me/followings/tracks",
      of: "User",
      ask: (asked) => listFollowedTracks(c.var.db, c.var.viewer, countryOf(c.req), asked),
    }),
);

async function feedPage(c: Context<UserEnv>, given: z.output<typeof FeedQuery>, kinds: PostKind[]) {
  const { access } = given;
  const scope = feedScope(c.env, c.var.viewer, { kinds, access });
  const page = readTimeline(scope, given);
  const found = await listFeed(c.var.db, c.var.viewer, { kinds, access, country: countryOf(c.req), page });
  return c.json(feedOf(c.env, scope, found, c.req.url));
}
