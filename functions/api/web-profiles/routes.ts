import type { Context } from "hono";
import * as z from "zod";
import {
  listWebProfiles,
  replaceWebProfiles,
  type WebProfileFields,
  type WebProfileRow,
} from "../../../db/queries/web-profiles.ts";
import type { TokenEnv, UserEnv } from "../../lib/http/env.ts";
import { forbidden, notFound } from "../../lib/http/errors.ts";
import type { Links } from "../../lib/http/links.ts";
import { collectionOf, Paging, readCursor, sendCollection } from "../../lib/http/paging.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { UserId } from "../users/input.ts";
import { WebProfilesBody } from "./input.ts";
import { representWebProfile, WebProfile } from "./representation.ts";

const WebProfiles = collectionOf(WebProfile, "tracks").meta({ id: "WebProfileList" });

const WHOLE_LIST = "Returns the whole list, even above `limit`: a user has 20 at most.";
const REPLACES = "Replaces the whole list. A bare array works too.";
const OTHERS = { 403: "The profiles are another user's." };

const shown = (links: Links, profiles: WebProfileRow[]): WebProfile[] =>
  profiles.map((profile) => representWebProfile(profile, links));

async function replaced(c: Context<UserEnv>, userId: number, profiles: WebProfileFields[]) {
  const list = await replaceWebProfiles(c.var.db, c.var.viewer, userId, profiles);
  if (list.outcome === "unknown") notFound("User");
  return list.outcome === "done" ? shown(c.env, list.profiles) : forbidden("The profiles are another user's");
}

/** Lists are never cut, so no cursor was ever issued. */
async function listOf(
  c: Context<TokenEnv> | Context<UserEnv>,
  userId: number,
  given: z.output<typeof Paging>,
) {
  const list = `users/${userId}/web-profiles`;
  readCursor({ SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId }, given.cursor);
  const found = (await listWebProfiles(c.var.db, c.var.viewer, userId)) ?? notFound("User");
  return sendCollection(c, given.linked_partitioning, shown(c.env, found), undefined);
}

export const webProfiles = new Routes();

webProfiles.get(
  "/users/:id/web-profiles",
  {
    operationId: "listUserWebProfiles",
    summary: "List a user's web profiles",
    description: WHOLE_LIST,
    auth: "token",
    params: UserId,
    query: Paging,
    replies: { 200: WebProfiles },
  },
  (c, { params, query }) => listOf(c, params.id, query),
);

webProfiles.put(
  "/users/:id/web-profiles",
  {
    operationId: "replaceUserWebProfiles",
    summary: "Replace your web profiles",
    description: REPLACES,
    auth: "user",
    scope: "profile",
    params: UserId,
    body: WebProfilesBody,
    bareArray: "web_profiles",
    replies: { 200: z.array(WebProfile) },
    errors: OTHERS,
  },
  async (c, { params, body }) => c.json(await replaced(c, params.id, body.web_profiles)),
);

webProfiles.delete(
  "/users/:id/web-profiles",
  {
    operationId: "deleteUserWebProfiles",
    summary: "Delete your web profiles",
    description: "Deletes all of them. The `id` must be yours.",
    auth: "user",
    scope: "profile",
    params: UserId,
    replies: { 200: StatusBody },
    errors: OTHERS,
  },
  async (c, { params }) => {
    await replaced(c, params.id, []);
    return c.json(statusBody(200));
  },
);

webProfiles.get(
  "/me/web-profiles",
  {
    operationId: "listMyWebProfiles",
    summary: "List your web profiles",
    description: WHOLE_LIST,
    auth: "user",
    query: Paging,
    replies: { 200: WebProfiles },
  },
  (c, { query }) => listOf(c, c.var.viewer.userId, query),
);

webProfiles.put(
  "/me/web-profiles",
  {
    operationId: "replaceMyWebProfiles",
    summary: "Replace your web profiles",
    description: REPLACES,
    auth: "user",
    scope: "profile",
    body: WebProfilesBody,
    bareArray: "web_profiles",
    replies: { 200: z.array(WebProfile) },
  },
  async (c, { body }) => c.json(await replaced(c, c.var.viewer.userId, body.web_profiles)),
);

webProfiles.delete(
  "/me/web-profiles",
  {
    operationId: "deleteMyWebProfiles",
    summary: "Delete your web profiles",
    description: "Deletes all of them.",
    auth: "user",
    scope: "profile",
    replies: { 200: StatusBody },
  },
  async (c) => {
    await replaced(c, c.var.viewer.userId, []);
    return c.json(statusBody(200));
  },
);
