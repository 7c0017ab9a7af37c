import { Hono } from "hono";
import { listRecentPlays, type RecentPosition } from "../../db/queries/plays.ts";
import { operation, query } from "../http/contract.ts";
import { countryOf } from "../http/country.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { requireUser } from "../http/viewer.ts";
import { TrackListQuery, Tracks } from "../tracks/list.ts";
import { pageInOwnOrder } from "../tracks/own-order.ts";

/** Under `/me`. */
export const recentPlays = new Hono<AppEnv>();

recentPlays.get(
  "/recently-played/tracks",
  operation(
    "List the tracks that you played, the last play first",
    { 200: Tracks, 400: ErrorBody, 422: ErrorBody },
    {
      description:
        "Each track once, of the last 100. Takes the filters of `/tracks`; a search leaves the order as it is, `sort` is by the time of the play.",
    },
  ),
  requireUser,
  query(TrackListQuery),
  (c) =>
    pageInOwnOrder<RecentPosition>(c, c.req.valid("query"), {
      name: "me/recently-played",
      of: "User",
      ask: (asked) => listRecentPlays(c.var.db, c.var.viewer, countryOf(c.req), asked),
    }),
);
