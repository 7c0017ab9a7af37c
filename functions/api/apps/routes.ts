import { findApp, listOwnApps } from "../../../db/queries/apps.ts";
import { invalid, notFound } from "../../lib/http/errors.ts";
import { taggedReply } from "../../lib/http/etag.ts";
import { Paging, sendPageById } from "../../lib/http/paging.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { namesService } from "../../lib/text/look-alike.ts";
import { siteName } from "../../ui/name.ts";
import { AppId, NAMES_SERVICE, NewAppBody } from "./input.ts";
import { register, remove, rotateSecret } from "./registration.ts";
import {
  App,
  AppWithSecret,
  OwnApps,
  RegisteredApp,
  representApp,
  representOwnApp,
} from "./representation.ts";

/** These replies hold a secret. */
const NO_STORE = { "Cache-Control": "private, no-store" };

const NOT_MANAGED = { 403: "An app may manage only itself and the apps it registered." };

export const apps = new Routes();

apps.get(
  "/apps/:id",
  {
    operationId: "getApp",
    summary: "Get an app",
    description: "The part of an app that users see.",
    auth: "token",
    params: AppId,
    precondition: "If-None-Match",
    replies: { 200: App },
  },
  async (c, { params }) => {
    const app = await findApp(c.var.db, c.var.viewer, params.id);
    return taggedReply(c, representApp(app ?? notFound("App"), c.env));
  },
);

apps.get(
  "/me/apps",
  {
    operationId: "listMyApps",
    summary: "List your apps, newest first",
    description: "Apps that you registered. Secrets are not shown again.",
    auth: "user",
    query: Paging,
    replies: { 200: OwnApps },
  },
  (c, { query }) =>
    sendPageById(c, query, {
      list: "me/apps",
      find: async ({ before, limit }) => (await listOwnApps(c.var.db, c.var.viewer, before, limit)).apps,
      represent: (app) => representOwnApp(app, c.env),
    }),
);

apps.post(
  "/me/apps",
  {
    operationId: "registerApp",
    summary: "Register an app",
    description:
      "Needs a paid plan, unless the deployment has switched that off. Only this reply shows the client secret. A public app gets none.",
    auth: "user",
    scope: "*",
    body: NewAppBody,
    replies: { 201: RegisteredApp },
    errors: { 403: "You are on the free plan.", 429: "Too many apps registered in an hour." },
  },
  async (c, { body }) => {
    if (namesService(body.name, siteName(c.env))) invalid(`name: ${NAMES_SERVICE}`);
    const { app, secret } = await register(c, c.var.viewer, body);
    const shown = { ...representOwnApp(app, c.env), ...(secret !== undefined && { client_secret: secret }) };
    return c.json(shown, 201, { Location: shown.uri, ...NO_STORE });
  },
);

apps.post(
  "/me/apps/:id/secret",
  {
    operationId: "rotateAppSecret",
    summary: "Rotate an app's client secret",
    description: "The current secret remains valid for seven days; older ones end at once.",
    auth: "user",
    scope: "*",
    params: AppId,
    replies: { 200: AppWithSecret },
    errors: { ...NOT_MANAGED, 409: "The app is public: it has no secret." },
  },
  async (c, { params }) => {
    const { app, secret } = await rotateSecret(c, c.var.viewer, params.id);
    return c.json({ ...representOwnApp(app, c.env), client_secret: secret }, 200, NO_STORE);
  },
);

apps.delete(
  "/me/apps/:id",
  {
    operationId: "deleteApp",
    summary: "Delete an app",
    description: "Ends all its tokens. Tracks that it uploaded stay.",
    auth: "user",
    scope: "*",
    params: AppId,
    replies: { 200: StatusBody },
    errors: NOT_MANAGED,
  },
  async (c, { params }) => {
    await remove(c.var.db, c.var.viewer, params.id);
    return c.json(statusBody(200));
  },
);
