import { type Context, Hono } from "hono";
import * as z from "zod";
import {
  listWebProfiles,
  replaceWebProfiles,
  type WebProfileFields,
  type WebProfileList,
} from "../../db/queries/web-profiles.ts";
import { body, operation, param, query } from "../http/contract.ts";
import type { AppEnv, TokenEnv, UserEnv } from "../http/env.ts";
import { ErrorBody, forbidden, notFound } from "../http/errors.ts";
import type { Links } from "../http/links.ts";
import { Paging, readCursor, sendCollection } from "../http/paging.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireToken, requireUser } from "../http/viewer.ts";
import { UserId } from "../users/input.ts";
import { WebProfilesBody } from "./input.ts";
import { representWebProfile, WebProfile } from "./representation.ts";

const WebProfiles = z
  .union([
    z.array(WebProfile),
    z.strictObject({ collection: z.array(WebProfile), next_href: z.url().optional() }),
  ])
  .meta({ id: "WebProfileList" });

const WHOLE = { description: "The whole list, however small the `limit`: a user has 20 at most." };

const REPLACES = { description: "The whole list replaces the one before. A bare array is taken as well." };
const ONES_OWN = "Of others' profiles, 403.";

function shown(links: Links, list: WebProfileList): WebProfile[] {
  const found = list;
  if (found.outcome === "done") return found.profiles.map((profile) => representWebProfile(profile, links));
  return found.outcome === "unknown" ? notFound("User") : forbidden("The profiles are another user's");
}

const replaced = async (c: Context<UserEnv>, userId: number, profiles: WebProfileFields[]) =>
  shown(c.env, await replaceWebProfiles(c.var.db, c.var.viewer, userId, profiles));

const listed = { 200: WebProfiles, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody };

/** No page is ever cut, so no cursor was ever given out. */
async function listOf(
  c: Context<TokenEnv> | Context<UserEnv>,
  userId: number,
  given: z.output<typeof Paging>,
) {
  const list = `users/${userId}/web-profiles`;
  readCursor({ SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId }, given.cursor);
  const profiles = shown(c.env, await listWebProfiles(c.var.db, c.var.viewer, userId));
  return sendCollection(c, given.linked_partitioning, profiles, undefined);
}

/** Below `/users`. */
export const userWebProfiles = new Hono<AppEnv>()
  .get(
    "/:id/web-profiles",
    operation("List a user's web profiles", listed, WHOLE),
    requireToken,
    param(UserId),
    query(Paging),
    (c) => listOf(c, c.req.valid("param").id, c.req.valid("query")),
  )
  .put(
    "/:id/web-profiles",
    operation(
      "Replace your web profiles",
      { 200: z.array(WebProfile), 403: ErrorBody },
      { description: `${REPLACES.description} ${ONES_OWN}` },
    ),
    requireUser,
    param(UserId),
    body(WebProfilesBody, ["json"], "web_profiles"),
    async (c) => c.json(await replaced(c, c.req.valid("param").id, c.req.valid("json").web_profiles)),
  )
  .delete(
    "/:id/web-profiles",
    operation(
      "Delete your web profiles",
      { 200: StatusBody, 403: ErrorBody, 404: ErrorBody },
      { description: ONES_OWN },
    ),
    requireUser,
    param(UserId),
    async (c) => {
      await replaced(c, c.req.valid("param").id, []);
      return c.json(statusBody(200));
    },
  );

/** Below `/me`. */
export const myWebProfiles = new Hono<AppEnv>()
  .get("/web-profiles", operation("List your web profiles", listed, WHOLE), requireUser, query(Paging), (c) =>
    listOf(c, c.var.viewer.userId, c.req.valid("query")),
  )
  .put(
    "/web-profiles",
    operation("Replace your web profiles", { 200: z.array(WebProfile) }, REPLACES),
    requireUser,
    body(WebProfilesBody, ["json"], "web_profiles"),
    async (c) => c.json(await replaced(c, c.var.viewer.userId, c.req.valid("json").web_profiles)),
  )
  .delete(
    "/web-profiles",
    operation("Delete your web profiles", { 200: StatusBody }),
    requireUser,
    async (c) => {
      await replaced(c, c.var.viewer.userId, []);
      return c.json(statusBody(200));
    },
  );
