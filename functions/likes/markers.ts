import { type Context, Hono } from "hono";
import * as z from "zod";
import { listMarkers, type Marks } from "../../db/queries/marks.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv, TokenEnv } from "../http/env.ts";
import { ErrorBody, notFound, stillSignedIn } from "../http/errors.ts";
import { idText } from "../http/fields.ts";
import { collection, nextHref, Paging, readCursor } from "../http/paging.ts";
import { requireToken } from "../http/viewer.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { presentedBy } from "../tracks/secret.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

const Users = z.union([
  z.array(MiniUser),
  z.strictObject({ collection: z.array(MiniUser), next_href: z.url().optional() }),
]);

const Marker = z.object({ ...TrackId.shape, user: idText("users").describe("Id or URN of the user.") });

const MarkersQuery = z.object({ ...Paging.shape, ...SecretToken.shape });
type MarkersQuery = z.output<typeof MarkersQuery>;

/** Under `/tracks`. */
export const markers = new Hono<AppEnv>();

const listed = { 200: Users, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody };

markers.get(
  "/:id/favoriters",
  operation("List who likes a track, the last one first", listed),
  requireToken,
  param(TrackId),
  query(MarkersQuery),
  (c) => markersPage(c, "favorites", c.req.valid("param").id, c.req.valid("query")),
);

markers.get(
  "/:id/reposters",
  operation("List who reposted a track, the last one first", listed),
  requireToken,
  param(TrackId),
  query(MarkersQuery),
  (c) => markersPage(c, "reposts", c.req.valid("param").id, c.req.valid("query")),
);

markers.get(
  "/:id/favoriters/:user",
  operation("Get one of those who like a track", { 200: MiniUser, 404: ErrorBody }),
  requireToken,
  param(Marker),
  query(SecretToken),
  async (c) => {
    const { id, user } = c.req.valid("param");
    const wanted = { trackId: id, marker: user, limit: 1 };
    const opened = presentedBy(c.req, c.req.valid("query").secret_token);
    const found = stillSignedIn(await listMarkers(c.var.db, c.var.viewer, "favorites", wanted, opened));
    const [favoriter] = found.markers ?? notFound("Track");
    return c.json(representMiniUser((favoriter ?? notFound("Favoriter")).user, c.env));
  },
);

async function markersPage(c: Context<TokenEnv>, marks: Marks, trackId: number, given: MarkersQuery) {
  const { limit, linked_partitioning, cursor, secret_token } = given;
  const scope = {
    SIGNING_KEYS: c.env.SIGNING_KEYS,
    list: `${marks}/${trackId}`,
    userId: c.var.viewer.userId,
  };
  const wanted = { trackId, before: readCursor(scope, cursor), limit: limit + 1 };
  const opened = presentedBy(c.req, secret_token);
  const found = stillSignedIn(await listMarkers(c.var.db, c.var.viewer, marks, wanted, opened));
  const rows = found.markers ?? notFound("Track");
  const users = rows.slice(0, limit).map(({ user }) => representMiniUser(user, c.env));
  const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
  return c.json(collection(linked_partitioning, users, next));
}
