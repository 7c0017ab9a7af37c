import { Hono } from "hono";
import { type FollowedPosition, listFollowedTracks } from "../../db/queries/feed.ts";
import { operation, query } from "../http/contract.ts";
import { countryOf } from "../http/country.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { requireUser } from "../http/viewer.ts";
import { TrackListQuery, Tracks } from "../tracks/list.ts";
import { pageInOwnOrder } from "../tracks/own-order.ts";

/** Below `/me`. Before `/followings/:userId`, which it would be a user of. */
export const followedTracks = new Hono<AppEnv>().get(
  "/followings/tracks",
  operation(
    "List the tracks of those you follow, newest first",
    { 200: Tracks, 400: ErrorBody, 422: ErrorBody },
    {
      description:
        "By when they were made public, without reposts, which `/me/feed/tracks` has. Takes the filters of `/tracks`; a search leaves the order as it is, `sort` is by that time. A page looks through 20,000 tracks at most: where too few of them fit, the list ends.",
    },
  ),
  requireUser,
  query(TrackListQuery),
  (c) =>
    pageInOwnOrder<FollowedPosition>(c, c.req.valid("query"), {
      name: "me/followings/tracks",
      of: "User",
      ask: (asked) => listFollowedTracks(c.var.db, c.var.viewer, countryOf(c.req), asked),
    }),
);
