import { Routes } from "../../lib/http/route.ts";
import { StatusBody } from "../../lib/http/status.ts";
import { OpensPlaylist } from "../playlists/filters.ts";
import { PlaylistId } from "../playlists/input.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { addPlaylist, addTrack, removePlaylist, removeTrack } from "./favorites-and-reposts.ts";

/** Adds and removes favorites and reposts. Paths and texts for clients call a favorite a like. */
export const favoritesAndReposts = new Routes();

const description = "Repeating is harmless and does not count against a budget.";
const TRACK = { description, params: TrackId, query: SecretToken };
const PLAYLIST = { description, params: PlaylistId, query: OpensPlaylist };

const OK = { 200: StatusBody };
const CREATED = { 201: StatusBody };
const TOO_MANY_LIKES = { 429: "Too many likes in an hour." };
const TOO_MANY_REPOSTS = { 429: "Too many reposts in an hour." };

favoritesAndReposts.post(
  "/likes/tracks/:id",
  {
    operationId: "likeTrack",
    summary: "Like a track",
    auth: "user",
    scope: "social",
    ...TRACK,
    replies: OK,
    errors: TOO_MANY_LIKES,
  },
  (c, { params, query }) => addTrack(c, "favorites", params.id, query),
);

favoritesAndReposts.delete(
  "/likes/tracks/:id",
  {
    operationId: "unlikeTrack",
    summary: "Remove a like from a track",
    auth: "user",
    scope: "social",
    ...TRACK,
    replies: OK,
  },
  (c, { params, query }) => removeTrack(c, "favorites", params.id, query),
);

favoritesAndReposts.post(
  "/likes/playlists/:id",
  {
    operationId: "likePlaylist",
    summary: "Like a playlist",
    auth: "user",
    scope: "social",
    ...PLAYLIST,
    replies: OK,
    errors: TOO_MANY_LIKES,
  },
  (c, { params, query }) => addPlaylist(c, "playlist_favorites", params.id, query),
);

favoritesAndReposts.delete(
  "/likes/playlists/:id",
  {
    operationId: "unlikePlaylist",
    summary: "Remove a like from a playlist",
    auth: "user",
    scope: "social",
    ...PLAYLIST,
    replies: OK,
  },
  (c, { params, query }) => removePlaylist(c, "playlist_favorites", params.id, query),
);

favoritesAndReposts.post(
  "/reposts/tracks/:id",
  {
    operationId: "repostTrack",
    summary: "Repost a track",
    auth: "user",
    scope: "social",
    ...TRACK,
    replies: CREATED,
    errors: TOO_MANY_REPOSTS,
  },
  (c, { params, query }) => addTrack(c, "reposts", params.id, query, 201),
);

favoritesAndReposts.delete(
  "/reposts/tracks/:id",
  {
    operationId: "unrepostTrack",
    summary: "Remove a repost of a track",
    auth: "user",
    scope: "social",
    ...TRACK,
    replies: OK,
  },
  (c, { params, query }) => removeTrack(c, "reposts", params.id, query),
);

favoritesAndReposts.post(
  "/reposts/playlists/:id",
  {
    operationId: "repostPlaylist",
    summary: "Repost a playlist",
    auth: "user",
    scope: "social",
    ...PLAYLIST,
    replies: CREATED,
    errors: TOO_MANY_REPOSTS,
  },
  (c, { params, query }) => addPlaylist(c, "playlist_reposts", params.id, query, 201),
);

favoritesAndReposts.delete(
  "/reposts/playlists/:id",
  {
    operationId: "unrepostPlaylist",
    summary: "Remove a repost of a playlist",
    auth: "user",
    scope: "social",
    ...PLAYLIST,
    replies: OK,
  },
  (c, { params, query }) => removePlaylist(c, "playlist_reposts", params.id, query),
);
