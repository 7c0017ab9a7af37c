import { Routes } from "../../lib/http/route.ts";
import { PlaylistListQuery } from "../playlists/filters.ts";
import { PAGE_ENDS_EARLY, Playlists, playlistPage } from "../playlists/list.ts";
import { TrackListQuery, Tracks, trackPage } from "../tracks/list.ts";
import { UserId } from "../users/input.ts";

/** Lists of favorites and reposts, except a user's favorite tracks. */
export const favoredAndReposted = new Routes();

const AS_TRACKS = "Takes the filters of `/tracks`; `sort` uses the time of the repost.";
const AS_PLAYLISTS = `Takes the filters of \`/playlists\`. ${PAGE_ENDS_EARLY}`;

favoredAndReposted.get(
  "/me/likes/playlists",
  {
    operationId: "listMyLikedPlaylists",
    summary: "List playlists that you like, latest like first",
    description: AS_PLAYLISTS,
    auth: "user",
    query: PlaylistListQuery,
    replies: { 200: Playlists },
  },
  (c, { query }) => playlistPage(c, query, { list: "likes/playlists", favored_by: c.var.viewer.userId }),
);

favoredAndReposted.get(
  "/users/:id/likes/playlists",
  {
    operationId: "listUserLikedPlaylists",
    summary: "List playlists that a user likes, latest like first",
    description: AS_PLAYLISTS,
    auth: "token",
    params: UserId,
    query: PlaylistListQuery,
    replies: { 200: Playlists },
  },
  (c, { params, query }) => playlistPage(c, query, { list: "likes/playlists", favored_by: params.id }),
);

favoredAndReposted.get(
  "/me/reposts/tracks",
  {
    operationId: "listMyRepostedTracks",
    summary: "List tracks that you reposted, latest repost first",
    description: AS_TRACKS,
    auth: "user",
    query: TrackListQuery,
    replies: { 200: Tracks },
  },
  (c, { query }) => trackPage(c, query, { list: "reposts/tracks", reposted_by: c.var.viewer.userId }),
);

favoredAndReposted.get(
  "/users/:id/reposts/tracks",
  {
    operationId: "listUserRepostedTracks",
    summary: "List tracks that a user reposted, latest repost first",
    description: AS_TRACKS,
    auth: "token",
    params: UserId,
    query: TrackListQuery,
    replies: { 200: Tracks },
  },
  (c, { params, query }) => trackPage(c, query, { list: "reposts/tracks", reposted_by: params.id }),
);

favoredAndReposted.get(
  "/me/reposts/playlists",
  {
    operationId: "listMyRepostedPlaylists",
    summary: "List playlists that you reposted, latest repost first",
    description: AS_PLAYLISTS,
    auth: "user",
    query: PlaylistListQuery,
    replies: { 200: Playlists },
  },
  (c, { query }) => playlistPage(c, query, { list: "reposts/playlists", reposted_by: c.var.viewer.userId }),
);

favoredAndReposted.get(
  "/users/:id/reposts/playlists",
  {
    operationId: "listUserRepostedPlaylists",
    summary: "List playlists that a user reposted, latest repost first",
    description: AS_PLAYLISTS,
    auth: "token",
    params: UserId,
    query: PlaylistListQuery,
    replies: { 200: Playlists },
  },
  (c, { params, query }) => playlistPage(c, query, { list: "reposts/playlists", reposted_by: params.id }),
);
