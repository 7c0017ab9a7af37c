import { Hono } from "hono";
import { listRelatedTracks, type RelatedPosition } from "../../db/queries/related-tracks.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { requireToken } from "../http/viewer.ts";
import { SecretToken, TrackId } from "./input.ts";
import { TrackListQuery, Tracks } from "./list.ts";
import { pageInOwnOrder } from "./own-order.ts";
import { presentedBy } from "./secret.ts";

export const related = new Hono<AppEnv>();

related.get(
  "/:id/related",
  operation(
    "List tracks that are related to a track",
    { 200: Tracks, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody },
    {
      description:
        "By what they have in common, most first: the artist's name weighs three, each tag two, the genre one; among equals the newest first, and last what else its owner has. Of what is very common only the newest 500 are looked at, and of the owner's the newest 200. Takes the filters of `/tracks`; a search leaves the order as it is, `sort` is by time.",
    },
  ),
  requireToken,
  param(TrackId),
  query(TrackListQuery.extend(SecretToken.shape)),
  async (c) => {
    const { id } = c.req.valid("param");
    const { secret_token, ...given } = c.req.valid("query");
    const presented = presentedBy(c.req, secret_token);
    return pageInOwnOrder<RelatedPosition>(c, given, {
      name: `tracks/${id}/related`,
      of: "Track",
      ask: (asked) => listRelatedTracks(c.var.db, c.var.viewer, id, presented, asked),
    });
  },
);
