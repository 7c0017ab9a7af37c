import { Routes } from "../http/route.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { OpensPlaylist } from "../playlists/filters.ts";
import { PlaylistId } from "../playlists/input.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { mark, setOnPlaylist, takeFromPlaylist, unmark } from "./marks.ts";

/** Favorites and reposts, and taking them back. Paths and texts for clients call a favorite a like. */
export const marks = new Routes();

const REPEATABLE = "Repeating is harmless and does not count against a budget.";
const TOO_MANY_LIKES = { 429: "Too many likes in an hour." };
const TOO_MANY_REPOSTS = { 429: "Too many reposts in an hour." };

marks.post(
  "/likes/tracks/:id",
  {
    operationId: "likeTrack",
    summary: "Like a track",
    description: REPEATABLE,
    auth: "user",
    params: TrackId,
    query: SecretToken,
    replies: { 200: StatusBody },
    errors: TOO_MANY_LIKES,
  },
  async (c, { params, query }) => {
    await mark(c, "favorites", params.id, query.secret_token);
    return c.json(statusBody(200));
  },
);

marks.delete(
  "/likes/tracks/:id",
  {
    operationId: "unlikeTrack",
    summary: "Remove a like from a track",
    description: REPEATABLE,
    auth: "user",
    params: TrackId,
    query: SecretToken,
    replies: { 200: StatusBody },
  },
  async (c, { params, query }) => {
    await unmark(c, "favorites", params.id, query.secret_token);
    return c.json(statusBody(200));
  },
);

marks.post(
  "/likes/playlists/:id",
  {
    operationId: "likePlaylist",
    summary: "Like a playlist",
    description: REPEATABLE,
    auth: "user",
    params: PlaylistId,
    query: OpensPlaylist,
    replies: { 200: StatusBody },
    errors: TOO_MANY_LIKES,
  },
  async (c, { params, query }) => {
    await setOnPlaylist(c, "playlist_favorites", params.id, query.secret_token);
    return c.json(statusBody(200));
  },
);

marks.delete(
  "/likes/playlists/:id",
  {
    operationId: "unlikePlaylist",
    summary: "Remove a like from a playlist",
    description: REPEATABLE,
    auth: "user",
    params: PlaylistId,
    query: OpensPlaylist,
    replies: { 200: StatusBody },
  },
  async (c, { params, query }) => {
    await takeFromPlaylist(c, "playlist_favorites", params.id, query.secret_token);
    return c.json(statusBody(200));
  },
);

marks.post(
  "/reposts/tracks/:id",
  {
    operationId: "repostTrack",
    summary: "Repost a track",
    description: REPEATABLE,
    auth: "user",
    params: TrackId,
    query: SecretToken,
    replies: { 201: StatusBody },
    errors: TOO_MANY_REPOSTS,
  },
  async (c, { params, query }) => {
    await mark(c, "reposts", params.id, query.secret_token);
    return c.json(statusBody(201), 201);
  },
);

marks.delete(
  "/reposts/tracks/:id",
  {
    operationId: "unrepostTrack",
    summary: "Remove a repost of a track",
    description: REPEATABLE,
    auth: "user",
    params: TrackId,
    query: SecretToken,
    replies: { 200: StatusBody },
  },
  async (c, { params, query }) => {
    await unmark(c, "reposts", params.id, query.secret_token);
    return c.json(statusBody(200));
  },
);

marks.post(
  "/reposts/playlists/:id",
  {
    operationId: "repostPlaylist",
    summary: "Repost a playlist",
    description: REPEATABLE,
    auth: "user",
    params: PlaylistId,
    query: OpensPlaylist,
    replies: { 201: StatusBody },
    errors: TOO_MANY_REPOSTS,
  },
  async (c, { params, query }) => {
    await setOnPlaylist(c, "playlist_reposts", params.id, query.secret_token);
    return c.json(statusBody(201), 201);
  },
);

marks.delete(
  "/reposts/playlists/:id",
  {
    operationId: "unrepostPlaylist",
    summary: "Remove a repost of a playlist",
    description: REPEATABLE,
    auth: "user",
    params: PlaylistId,
    query: OpensPlaylist,
    replies: { 200: StatusBody },
  },
  async (c, { params, query }) => {
    await takeFromPlaylist(c, "playlist_reposts", params.id, query.secret_token);
    return c.json(statusBody(200));
  },
);
