import type { Context } from "hono";
import * as z from "zod";
import type { UserFilter } from "../../../db/queries/user-lists.ts";
import type { TokenEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { sendCollection } from "../../lib/http/paging.ts";
import { Routes } from "../../lib/http/route.ts";
import { idText } from "../../lib/text/fields.ts";
import { OpensPlaylist } from "../playlists/filters.ts";
import { PlaylistId } from "../playlists/input.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { secretHashOf } from "../tracks/secret.ts";
import { UserListQuery, Users, userPage } from "../users/list.ts";
import { User } from "../users/representation.ts";

/** Lists of users who favorited or reposted something. */
export const favoritersAndReposters = new Routes();

const Favoriter = z.object({ ...TrackId.shape, user: idText("users").describe("Id or URN of the user.") });

const UsersQuery = z.object({ ...UserListQuery.shape, ...SecretToken.shape });
type UsersQuery = z.output<typeof UsersQuery>;

const UsersOfPlaylistQuery = z.object({ ...UserListQuery.shape, ...OpensPlaylist.shape });

favoritersAndReposters.get(
  "/tracks/:id/favoriters",
  {
    operationId: "listTrackFavoriters",
    summary: "List users who like a track, latest first",
    description: "Empty to others if the owner hides counts.",
    auth: "token",
    params: TrackId,
    query: UsersQuery,
    replies: { 200: Users },
  },
  (c, { params, query }) => usersOf(c, { relation: "favoriters", track: params.id }, query),
);

favoritersAndReposters.get(
  "/tracks/:id/reposters",
  {
    operationId: "listTrackReposters",
    summary: "List users who reposted a track, latest first",
    description: "Empty to others if the owner hides counts.",
    auth: "token",
    params: TrackId,
    query: UsersQuery,
    replies: { 200: Users },
  },
  (c, { params, query }) => usersOf(c, { relation: "reposters", track: params.id }, query),
);

favoritersAndReposters.get(
  "/playlists/:id/favoriters",
  {
    operationId: "listPlaylistFavoriters",
    summary: "List users who like a playlist, latest first",
    description: "A private playlist needs its `secret_token`.",
    auth: "token",
    params: PlaylistId,
    query: UsersOfPlaylistQuery,
    replies: { 200: Users },
  },
  (c, { params, query }) => usersOf(c, { relation: "playlist_favoriters", playlist: params.id }, query),
);

favoritersAndReposters.get(
  "/playlists/:id/reposters",
  {
    operationId: "listPlaylistReposters",
    summary: "List users who reposted a playlist, latest first",
    description: "A private playlist needs its `secret_token`.",
    auth: "token",
    params: PlaylistId,
    query: UsersOfPlaylistQuery,
    replies: { 200: Users },
  },
  (c, { params, query }) => usersOf(c, { relation: "playlist_reposters", playlist: params.id }, query),
);

favoritersAndReposters.get(
  "/tracks/:id/favoriters/:user",
  {
    operationId: "getTrackFavoriter",
    summary: "Get one user who likes a track",
    description: "404 if the user does not like the track, or its owner hides counts from you.",
    auth: "token",
    params: Favoriter,
    query: SecretToken,
    replies: { 200: User },
  },
  async (c, { params, query }) => {
    const one = { ...UserListQuery.parse({ limit: "1" }), ids: [params.user], ...query };
    const { collection } = await usersPage(c, { relation: "favoriters", track: params.id }, one);
    return c.json(collection[0] ?? notFound("Favoriter"));
  },
);

type Of = Pick<UserFilter, "relation" | "track" | "playlist">;

const usersPage = (c: Context<TokenEnv>, of: Of, { secret_token, ...given }: UsersQuery) =>
  userPage(c, given, of, secretHashOf(secret_token));

async function usersOf(c: Context<TokenEnv>, of: Of, given: UsersQuery) {
  const { collection, next_href } = await usersPage(c, of, given);
  return sendCollection(c, given.linked_partitioning, collection, next_href);
}
