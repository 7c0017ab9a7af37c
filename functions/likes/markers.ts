import { type Context, Hono } from "hono";
import * as z from "zod";
import type { UserFilter } from "../../db/queries/users.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv, TokenEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { idText } from "../http/fields.ts";
import { sendCollection } from "../http/paging.ts";
import { requireToken } from "../http/viewer.ts";
import { OpensPlaylist } from "../playlists/filters.ts";
import { PlaylistId } from "../playlists/input.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { hashSecretToken } from "../tracks/secret.ts";
import { UserListQuery, Users, userPage } from "../users/list.ts";
import { User } from "../users/representation.ts";

const Favoriter = z.object({ ...TrackId.shape, user: idText("users").describe("Id or URN of the user.") });

const MarkersQuery = z.object({ ...UserListQuery.shape, ...SecretToken.shape });
type MarkersQuery = z.output<typeof MarkersQuery>;

const LISTED = { 200: Users, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody };

/** Under `/tracks`. */
export const markers = new Hono<AppEnv>();

markers.get(
  "/:id/favoriters",
  operation("List who likes a track, the last one first", LISTED),
  requireToken,
  param(TrackId),
  query(MarkersQuery),
  async (c) => {
    const track = c.req.valid("param").id;
    return markersOf(c, { relation: "favoriters", track }, c.req.valid("query"));
  },
);

markers.get(
  "/:id/reposters",
  operation("List who reposted a track, the last one first", LISTED),
  requireToken,
  param(TrackId),
  query(MarkersQuery),
  async (c) => {
    const track = c.req.valid("param").id;
    return markersOf(c, { relation: "reposters", track }, c.req.valid("query"));
  },
);

markers.get(
  "/:id/favoriters/:user",
  operation("Get one of those who like a track", { 200: User, 404: ErrorBody }),
  requireToken,
  param(Favoriter),
  query(SecretToken),
  async (c) => {
    const { id: track, user } = c.req.valid("param");
    const one = { ...UserListQuery.parse({ limit: "1" }), ids: [user], ...c.req.valid("query") };
    const { collection } = await markersPage(c, { relation: "favoriters", track }, one);
    return c.json(collection[0] ?? notFound("Favoriter"));
  },
);

/** Under `/playlists`. */
export const playlistMarkers = new Hono<AppEnv>();

const PlaylistMarkersQuery = z.object({ ...UserListQuery.shape, ...OpensPlaylist.shape });

playlistMarkers.get(
  "/:id/favoriters",
  operation("List who likes a playlist, the last one first", LISTED),
  requireToken,
  param(PlaylistId),
  query(PlaylistMarkersQuery),
  async (c) => {
    const playlist = c.req.valid("param").id;
    return markersOf(c, { relation: "playlist_favoriters", playlist }, c.req.valid("query"));
  },
);

playlistMarkers.get(
  "/:id/reposters",
  operation("List who reposted a playlist, the last one first", LISTED),
  requireToken,
  param(PlaylistId),
  query(PlaylistMarkersQuery),
  async (c) => {
    const playlist = c.req.valid("param").id;
    return markersOf(c, { relation: "playlist_reposters", playlist }, c.req.valid("query"));
  },
);

type Of = Pick<UserFilter, "relation" | "track" | "playlist">;

const markersPage = (c: Context<TokenEnv>, of: Of, { secret_token, ...given }: MarkersQuery) =>
  userPage(c, given, of, secret_token ? hashSecretToken(secret_token) : undefined);

async function markersOf(c: Context<TokenEnv>, of: Of, given: MarkersQuery) {
  const { collection, next_href } = await markersPage(c, of, given);
  return sendCollection(c, given.linked_partitioning, collection, next_href);
}
