import { Hono } from "hono";
import { listRelatedTracks, type RelatedPage } from "../../db/queries/related-tracks.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound, stillSignedIn } from "../http/errors.ts";
import { filteredList, nextPage, readPosition } from "../http/paging.ts";
import { requireToken } from "../http/viewer.ts";
import { trackFilter } from "./filters.ts";
import { SecretToken, TrackId } from "./input.ts";
import { pageText, TrackListQuery, Tracks } from "./list.ts";
import { HeldTracks } from "./listed.ts";
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
    const { limit, offset, cursor, sort, linked_partitioning } = given;
    const filter = trackFilter(given, {});
    const list = filteredList(`tracks/${id}/related`, { ...filter, sort });
    const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
    const position = readPosition(scope, cursor);
    const page: RelatedPage = {
      limit,
      offset: position ? 0 : offset,
      ascending: sort && sort === "asc",
      ...(position && JSON.parse(position)),
    };
    const held = new HeldTracks(`${list} ${limit} ${page.offset} ${cursor}`, filter.ids);
    const asked = { filter, page, known: held.versions };
    const presented = presentedBy(c.req, secret_token);
    const found = stillSignedIn(await listRelatedTracks(c.var.db, c.var.viewer, id, presented, asked));
    if (!found.found) return notFound("Track");
    const next = found.next && nextPage(scope, JSON.stringify(found.next), c.req.url, c.env);
    const text = pageText(linked_partitioning, held.render(c.env, found.tracks), next);
    return c.body(text, 200, { "Content-Type": "application/json" });
  },
);
