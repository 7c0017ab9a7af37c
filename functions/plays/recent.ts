import { Hono } from "hono";
import * as z from "zod";
import { listRecentPlays } from "../../db/queries/plays.ts";
import { operation, query } from "../http/contract.ts";
import { countryOf } from "../http/country.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, stillSignedIn } from "../http/errors.ts";
import { Paging } from "../http/paging.ts";
import { requireUser } from "../http/viewer.ts";
import { TrackFilters } from "../tracks/filters.ts";
import { pageText, Tracks } from "../tracks/list.ts";
import { HeldTracks } from "../tracks/listed.ts";

/** Tracks. There is no second page. */
const LISTED = 25;

const RecentQuery = z.object({
  access: TrackFilters.shape.access,
  limit: Paging.shape.limit
    .transform((limit) => Math.min(limit, LISTED))
    .describe(`1 to ${LISTED}; more is taken as ${LISTED}.`),
  linked_partitioning: Paging.shape.linked_partitioning,
});

/** Under `/me`. */
export const recentPlays = new Hono<AppEnv>();

recentPlays.get(
  "/recently-played/tracks",
  operation(
    "List the tracks that you played, the last play first",
    { 200: Tracks, 400: ErrorBody, 422: ErrorBody },
    { description: `Each track once, ${LISTED} at most, without further pages.` },
  ),
  requireUser,
  query(RecentQuery),
  async (c) => {
    const { access, limit, linked_partitioning } = c.req.valid("query");
    const { db, viewer } = c.var;
    const held = new HeldTracks(`recently-played ${viewer.userId} ${limit} ${access}`, undefined);
    const asked = { country: countryOf(c.req), access, limit, known: held.known };
    const { tracks } = stillSignedIn(await listRecentPlays(db, viewer, asked));
    return c.body(pageText(linked_partitioning, held.render(c.env, tracks).joined, undefined), 200, {
      "Content-Type": "application/json",
    });
  },
);
