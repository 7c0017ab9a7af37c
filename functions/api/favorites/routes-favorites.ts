import type { Context } from "hono";
import * as z from "zod";
import { findFavorite, lookAtFavorite } from "../../../db/queries/favorites.ts";
import type { TokenEnv, UserEnv } from "../../lib/http/env.ts";
import { forbidden, notFound } from "../../lib/http/errors.ts";
import { collectionOf, sendCollection } from "../../lib/http/paging.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody } from "../../lib/http/status.ts";
import { idText } from "../../lib/text/fields.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { readTracks, TrackListQuery, Tracks, trackPage } from "../tracks/list.ts";
import { representTrack, Track } from "../tracks/representation.ts";
import { presentedBy } from "../tracks/secret.ts";
import { UserId } from "../users/input.ts";
import { addTrack, removeTrack } from "./favorites-and-reposts.ts";

/** Favorite tracks, under the older name and as likes: both are the same rows. */
export const favorites = new Routes();

const Favorite = z.object({
  ...UserId.shape,
  track: idText("tracks").describe("Id or URN of the track."),
});

const TrackIds = collectionOf(z.int(), "me/favorites/ids").meta({ id: "TrackIds" });

const LISTED = {
  description: "Takes the filters of `/tracks`; `sort` uses the time of the like.",
  query: TrackListQuery,
};
const ONE = { params: TrackId, query: SecretToken };
const ONE_OF_USER = { params: Favorite, query: SecretToken };
const TOO_MANY = { 429: "Too many likes in an hour." };
const OTHERS = { 403: "The favorites are another user's." };

favorites.get(
  "/me/likes/tracks",
  {
    operationId: "listMyLikedTracks",
    summary: "List tracks that you like, latest like first",
    ...LISTED,
    auth: "user",
    replies: { 200: Tracks },
  },
  (c, { query }) => trackPage(c, query, { list: "favorites", favored_by: c.var.viewer.userId }),
);

favorites.get(
  "/me/favorites",
  {
    operationId: "listMyFavorites",
    summary: "List tracks that you like, latest like first",
    ...LISTED,
    auth: "user",
    replies: { 200: Tracks },
  },
  (c, { query }) => trackPage(c, query, { list: "favorites", favored_by: c.var.viewer.userId }),
);

favorites.get(
  "/users/:id/likes/tracks",
  {
    operationId: "listUserLikedTracks",
    summary: "List tracks that a user likes, latest like first",
    ...LISTED,
    auth: "token",
    params: UserId,
    replies: { 200: Tracks },
  },
  (c, { params, query }) => trackPage(c, query, { list: "favorites", favored_by: params.id }),
);

favorites.get(
  "/users/:id/favorites",
  {
    operationId: "listUserFavorites",
    summary: "List tracks that a user likes, latest like first",
    ...LISTED,
    auth: "token",
    params: UserId,
    replies: { 200: Tracks },
  },
  (c, { params, query }) => trackPage(c, query, { list: "favorites", favored_by: params.id }),
);

/** Separate, because `/me/favorites/ids` also matches `/me/favorites/{id}`. */
export const myFavorites = new Routes();

myFavorites.get(
  "/me/favorites/ids",
  {
    operationId: "listMyFavoriteIds",
    summary: "List the ids of tracks that you like, latest like first",
    ...LISTED,
    auth: "user",
    replies: { 200: TrackIds },
  },
  async (c, { query }) => {
    const wanted = { list: "favorites/ids", favored_by: c.var.viewer.userId };
    const { tracks, next } = await readTracks(c, query, wanted);
    return sendCollection(
      c,
      query.linked_partitioning,
      tracks.map(({ id }) => id),
      next,
    );
  },
);

myFavorites.get(
  "/me/favorites/:id",
  {
    operationId: "getMyFavorite",
    summary: "Get one of the tracks that you like",
    description: "404 if you do not like it, or can no longer see it.",
    auth: "user",
    ...ONE,
    replies: { 200: Track },
  },
  async (c, { params, query }) =>
    c.json(await findFavoriteTrack(c, c.var.viewer.userId, params.id, query.secret_token)),
);

myFavorites.put(
  "/me/favorites/:id",
  {
    operationId: "addFavorite",
    summary: "Add a track to your favorites",
    description: "The same as liking. Repeating changes nothing.",
    auth: "user",
    scope: "social",
    ...ONE,
    replies: { 200: StatusBody },
    errors: TOO_MANY,
  },
  (c, { params, query }) => addTrack(c, "favorites", params.id, query),
);

myFavorites.delete(
  "/me/favorites/:id",
  {
    operationId: "removeFavorite",
    summary: "Remove a track from your favorites",
    description: "The same as unliking.",
    auth: "user",
    scope: "social",
    ...ONE,
    replies: { 200: StatusBody },
  },
  (c, { params, query }) => removeTrack(c, "favorites", params.id, query),
);

favorites.get(
  "/users/:id/favorites/:track",
  {
    operationId: "getUserFavorite",
    summary: "Get one of the tracks that a user likes",
    description: "404 if the user does not like it, or you cannot see it.",
    auth: "token",
    ...ONE_OF_USER,
    replies: { 200: Track },
  },
  async (c, { params, query }) =>
    c.json(await findFavoriteTrack(c, params.id, params.track, query.secret_token)),
);

favorites.put(
  "/users/:id/favorites/:track",
  {
    operationId: "addUserFavorite",
    summary: "Add a track to your favorites",
    description: "The `id` must be yours. Repeating changes nothing.",
    auth: "user",
    scope: "social",
    ...ONE_OF_USER,
    replies: { 200: StatusBody },
    errors: { ...OTHERS, ...TOO_MANY },
  },
  async (c, { params, query }) => {
    await refuseOthers(c, params.id, params.track);
    return addTrack(c, "favorites", params.track, query);
  },
);

favorites.delete(
  "/users/:id/favorites/:track",
  {
    operationId: "removeUserFavorite",
    summary: "Remove a track from your favorites",
    description: "The `id` must be yours.",
    auth: "user",
    scope: "social",
    ...ONE_OF_USER,
    replies: { 200: StatusBody },
    errors: OTHERS,
  },
  async (c, { params, query }) => {
    await refuseOthers(c, params.id, params.track);
    return removeTrack(c, "favorites", params.track, query);
  },
);

async function findFavoriteTrack(
  c: Context<TokenEnv> | Context<UserEnv>,
  favoriter: number,
  id: number,
  secret?: string,
) {
  const opened = presentedBy(c.req, secret);
  const track = await findFavorite(c.var.db, c.var.viewer, favoriter, id, opened);
  return representTrack(c.env, track ?? notFound("Favorite"));
}

/** Throws 401 first if the session has ended, and 404 before 403. */
async function refuseOthers(c: Context<UserEnv>, id: number, trackId: number): Promise<void> {
  if (id === c.var.viewer.userId) return;
  const named = (await lookAtFavorite(c.var.db, c.var.viewer, id, trackId)) ?? notFound("User");
  if (!named.seesTrack) notFound("Track");
  forbidden("You can change only your own favorites");
}
