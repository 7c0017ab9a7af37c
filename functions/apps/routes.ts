import { Hono } from "hono";
import * as z from "zod";
import { findApp, listOwnApps } from "../../db/queries/apps.ts";
import { body, operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { tagged, taggedReply } from "../http/etag.ts";
import { nextHref, Paging, readCursor, sendCollection } from "../http/paging.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireToken, requireUser } from "../http/viewer.ts";
import { AppId, NewAppBody } from "./input.ts";
import { register, remove, rotateSecret } from "./registration.ts";
import { App, AppWithSecret, OwnApp, representApp, representOwnApp } from "./representation.ts";

export const apps = new Hono<AppEnv>();

/** Digits alone: what is none is an app's page on the site. */
apps.get(
  "/:id{[0-9]+}",
  operation("Get an app", { 200: App, 404: ErrorBody }),
  tagged,
  requireToken,
  param(AppId),
  async (c) => {
    const { app } = await findApp(c.var.db, c.var.viewer, c.req.valid("param").id);
    return taggedReply(c, representApp(app ?? notFound("App"), c.env));
  },
);

const OwnApps = z
  .union([z.array(OwnApp), z.strictObject({ collection: z.array(OwnApp), next_href: z.url().optional() })])
  .meta({ id: "OwnApps" });

/** A secret is in the reply. */
const NO_STORE = { "Cache-Control": "private, no-store" };

export const ownApps = new Hono<AppEnv>();

const MANAGED = "An app manages itself and the apps that it registered; for any other of yours, 403.";

ownApps.get(
  "/",
  operation("List your apps, newest first", { 200: OwnApps, 400: ErrorBody, 422: ErrorBody }),
  requireUser,
  query(Paging),
  async (c) => {
    const { limit, linked_partitioning, cursor } = c.req.valid("query");
    const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list: "me/apps", userId: c.var.viewer.userId };
    const found = await listOwnApps(c.var.db, c.var.viewer, readCursor(scope, cursor), limit + 1);
    const items = found.apps.slice(0, limit).map((app) => representOwnApp(app, c.env));
    const next = nextHref(scope, { rows: found.apps, limit, url: c.req.url, links: c.env });
    return sendCollection(c, linked_partitioning, items, next);
  },
);

ownApps.post(
  "/",
  operation(
    "Register an app",
    { 201: AppWithSecret, 400: ErrorBody, 403: ErrorBody, 413: ErrorBody, 415: ErrorBody, 422: ErrorBody },
    { description: "Needs a paid plan. The client secret is shown in this reply alone." },
  ),
  requireUser,
  body(NewAppBody),
  async (c) => {
    const { app, secret } = await register(c.var.db, c.var.viewer, c.req.valid("json"));
    const shown = { ...representOwnApp(app, c.env), client_secret: secret };
    return c.json(shown, 201, { Location: shown.uri, ...NO_STORE });
  },
);

ownApps.post(
  "/:id/secret",
  operation(
    "Rotate an app's client secret",
    { 200: AppWithSecret, 403: ErrorBody, 404: ErrorBody },
    {
      description: `The secret until now is accepted for seven more days, any older one no longer. ${MANAGED}`,
    },
  ),
  requireUser,
  param(AppId),
  async (c) => {
    const { app, secret } = await rotateSecret(c.var.db, c.var.viewer, c.req.valid("param").id);
    return c.json({ ...representOwnApp(app, c.env), client_secret: secret }, 200, NO_STORE);
  },
);

ownApps.delete(
  "/:id",
  operation(
    "Delete an app",
    { 200: StatusBody, 403: ErrorBody, 404: ErrorBody },
    { description: `All its tokens end with it. Tracks that were made with it stay. ${MANAGED}` },
  ),
  requireUser,
  param(AppId),
  async (c) => {
    await remove(c.var.db, c.var.viewer, c.req.valid("param").id);
    return c.json(statusBody(200));
  },
);
