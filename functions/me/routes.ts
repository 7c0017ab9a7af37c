import { Hono } from "hono";
import { findMe } from "../../db/queries/people.ts";
import { operation, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound, stillSignedIn } from "../http/errors.ts";
import { tagged, taggedReply } from "../http/etag.ts";
import { requireUser } from "../http/viewer.ts";
import { TrackListQuery, Tracks, trackPage } from "../tracks/list.ts";
import { Me, representMe } from "./representation.ts";

export const me = new Hono<AppEnv>();

me.get("/", operation("Get the authenticated user", { 200: Me }), tagged, requireUser, async (c) => {
  const found = stillSignedIn(await findMe(c.var.db, c.var.viewer));
  const user = found.user ?? notFound("User");
  return taggedReply(c, representMe(user, c.env), user.updated_at);
});

me.get(
  "/tracks",
  operation("List your tracks, newest first", { 200: Tracks, 400: ErrorBody, 422: ErrorBody }),
  requireUser,
  query(TrackListQuery),
  (c) => trackPage(c, c.req.valid("query"), { list: "me/tracks", owner: c.var.viewer.userId }),
);
