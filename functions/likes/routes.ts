import { Hono } from "hono";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireUser } from "../http/viewer.ts";
import { OpensPlaylist } from "../playlists/filters.ts";
import { PlaylistId } from "../playlists/input.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { mark, setOnPlaylist, takeFromPlaylist, unmark } from "./marks.ts";

const harmless = { description: "Repeating it is harmless." };

/** A like and a favorite are one thing under two names. */
export const likes = new Hono<AppEnv>();

likes.post(
  "/tracks/:id",
  operation("Like a track", { 200: StatusBody, 404: ErrorBody }, harmless),
  requireUser,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    await mark(c, "favorites", c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);

likes.delete(
  "/tracks/:id",
  operation("Take back a like of a track", { 200: StatusBody, 404: ErrorBody }, harmless),
  requireUser,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    await unmark(c, "favorites", c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);

likes.post(
  "/playlists/:id",
  operation("Like a playlist", { 200: StatusBody, 404: ErrorBody }, harmless),
  requireUser,
  param(PlaylistId),
  query(OpensPlaylist),
  async (c) => {
    await setOnPlaylist(c, "playlist_likes", c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);

likes.delete(
  "/playlists/:id",
  operation("Take back a like of a playlist", { 200: StatusBody, 404: ErrorBody }, harmless),
  requireUser,
  param(PlaylistId),
  query(OpensPlaylist),
  async (c) => {
    await takeFromPlaylist(c, "playlist_likes", c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);

export const reposts = new Hono<AppEnv>();

reposts.post(
  "/tracks/:id",
  operation("Repost a track", { 201: StatusBody, 404: ErrorBody }, harmless),
  requireUser,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    await mark(c, "reposts", c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(statusBody(201), 201);
  },
);

reposts.delete(
  "/tracks/:id",
  operation("Take back a repost of a track", { 200: StatusBody, 404: ErrorBody }, harmless),
  requireUser,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    await unmark(c, "reposts", c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);

reposts.post(
  "/playlists/:id",
  operation("Repost a playlist", { 201: StatusBody, 404: ErrorBody }, harmless),
  requireUser,
  param(PlaylistId),
  query(OpensPlaylist),
  async (c) => {
    await setOnPlaylist(c, "playlist_reposts", c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(statusBody(201), 201);
  },
);

reposts.delete(
  "/playlists/:id",
  operation("Take back a repost of a playlist", { 200: StatusBody, 404: ErrorBody }, harmless),
  requireUser,
  param(PlaylistId),
  query(OpensPlaylist),
  async (c) => {
    await takeFromPlaylist(c, "playlist_reposts", c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);
