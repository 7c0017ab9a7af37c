import { type Context, Hono } from "hono";
import * as z from "zod";
import { findFavorite } from "../../db/queries/marks.ts";
import { findUser } from "../../db/queries/users.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv, TokenEnv, UserEnv } from "../http/env.ts";
import { ErrorBody, forbidden, notFound } from "../http/errors.ts";
import { idText } from "../http/fields.ts";
import { sendCollection } from "../http/paging.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireToken, requireUser } from "../http/viewer.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { foundTracks, TrackListQuery, Tracks, trackPage } from "../tracks/list.ts";
import { asTrack } from "../tracks/represent.ts";
import { Track } from "../tracks/representation.ts";
import { presentedBy } from "../tracks/secret.ts";
import { UserId } from "../users/input.ts";
import { mark, unmark } from "./marks.ts";

const Favorite = z.object({
  ...UserId.shape,
  track: idText("tracks").describe("Id or URN of the track."),
});

const listed = { 200: Tracks, 400: ErrorBody, 422: ErrorBody };
const filtered = { description: "Takes the filters of `/tracks`; `sort` is by the time of the like." };

/** Under `/me`. */
export const ownFavorites = new Hono<AppEnv>();

for (const path of ["/favorites", "/likes/tracks"] as const)
  ownFavorites.get(
    path,
    operation("List the tracks that you like, last liked first", listed, filtered),
    requireUser,
    query(TrackListQuery),
    (c) => trackPage(c, c.req.valid("query"), { list: "favorites", favored_by: c.var.viewer.userId }),
  );

const TrackIds = z
  .union([z.array(z.int()), z.strictObject({ collection: z.array(z.int()), next_href: z.url().optional() })])
  .meta({ id: "TrackIds" });

ownFavorites.get(
  "/favorites/ids",
  operation(
    "List the ids of the tracks that you like, last liked first",
    { ...listed, 200: TrackIds },
    filtered,
  ),
  requireUser,
  query(TrackListQuery),
  async (c) => {
    const given = c.req.valid("query");
    const wanted = { list: "favorites/ids", favored_by: c.var.viewer.userId };
    const { tracks, held, next } = await foundTracks(c, given, wanted);
    return sendCollection(c, given.linked_partitioning, held.idsOf(tracks), next);
  },
);

ownFavorites.get(
  "/favorites/:id",
  operation("Get one of the tracks that you like", { 200: Track, 404: ErrorBody }),
  requireUser,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await favorite(c, c.var.viewer.userId, id, c.req.valid("query").secret_token));
  },
);

ownFavorites.put(
  "/favorites/:id",
  operation("Make a track a favorite", { 200: StatusBody, 404: ErrorBody, 429: ErrorBody }),
  requireUser,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    await mark(c, "favorites", c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);

ownFavorites.delete(
  "/favorites/:id",
  operation("Take a track out of your favorites", { 200: StatusBody, 404: ErrorBody }),
  requireUser,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    await unmark(c, "favorites", c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);

/** Under `/users`. */
export const favorites = new Hono<AppEnv>();

for (const path of ["/:id/favorites", "/:id/likes/tracks"] as const)
  favorites.get(
    path,
    operation("List the tracks that a user likes, last liked first", { ...listed, 404: ErrorBody }, filtered),
    requireToken,
    param(UserId),
    query(TrackListQuery),
    (c) => trackPage(c, c.req.valid("query"), { list: "favorites", favored_by: c.req.valid("param").id }),
  );

favorites.get(
  "/:id/favorites/:track",
  operation("Get one of the tracks that a user likes", { 200: Track, 404: ErrorBody }),
  requireToken,
  param(Favorite),
  query(SecretToken),
  async (c) => {
    const { id, track } = c.req.valid("param");
    return c.json(await favorite(c, id, track, c.req.valid("query").secret_token));
  },
);

favorites.put(
  "/:id/favorites/:track",
  operation("Make a track a favorite of yours", {
    200: StatusBody,
    403: ErrorBody,
    404: ErrorBody,
    429: ErrorBody,
  }),
  requireUser,
  param(Favorite),
  query(SecretToken),
  async (c) => {
    const { id, track } = c.req.valid("param");
    await refuseOthers(c, id);
    await mark(c, "favorites", track, c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);

favorites.delete(
  "/:id/favorites/:track",
  operation("Take a track out of your favorites", { 200: StatusBody, 403: ErrorBody, 404: ErrorBody }),
  requireUser,
  param(Favorite),
  query(SecretToken),
  async (c) => {
    const { id, track } = c.req.valid("param");
    await refuseOthers(c, id);
    await unmark(c, "favorites", track, c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);

async function favorite(c: Context<TokenEnv> | Context<UserEnv>, liker: number, id: number, secret?: string) {
  const opened = presentedBy(c.req, secret);
  const { track } = await findFavorite(c.var.db, c.var.viewer, liker, id, opened);
  return asTrack(c.env, track ?? notFound("Favorite"));
}

/** Whose session has ended hears of that first. */
async function refuseOthers(c: Context<UserEnv>, id: number): Promise<void> {
  if (id === c.var.viewer.userId) return;
  await findUser(c.var.db, c.var.viewer, id);
  forbidden("Only your own favorites are yours to change");
}
