import type { Context } from "hono";
import type * as z from "zod";
import { findMe, updateMe } from "../../../db/queries/people.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { changedSince, invalid, notFound } from "../../lib/http/errors.ts";
import { expectedVersions, taggedReply } from "../../lib/http/etag.ts";
import { Routes } from "../../lib/http/route.ts";
import { isReservedName, usernameKeys } from "../../lib/text/look-alike.ts";
import { siteName } from "../../ui/name.ts";
import { storeAvatarField } from "../images/store.ts";
import { RESERVED, USERNAME_TAKEN } from "./account-input.ts";
import { MeBody } from "./input.ts";
import { Me, representMe } from "./representation-me.ts";
import { representUserInfo, UserInfo } from "./userinfo.ts";

export const me = new Routes();

me.get(
  "/me",
  {
    operationId: "getMe",
    summary: "Get the authenticated user",
    description: "Your profile with private counts, plan and limits.",
    auth: "user",
    precondition: "If-None-Match",
    replies: { 200: Me },
  },
  async (c) => {
    const user = (await findMe(c.var.db, c.var.viewer)) ?? notFound("User");
    return taggedReply(c, representMe(user, c.env), user.updated_at);
  },
);

me.get(
  "/me/userinfo",
  {
    operationId: "getUserInfo",
    summary: "Get the authenticated user as claims of OpenID Connect",
    description:
      "Libraries that sign people in read it by themselves, as `userinfo_endpoint` of the metadata.",
    auth: "user",
    replies: { 200: UserInfo },
  },
  async (c) => {
    const user = (await findMe(c.var.db, c.var.viewer)) ?? notFound("User");
    return c.json(representUserInfo(representMe(user, c.env)));
  },
);

me.put(
  "/me",
  {
    operationId: "updateMe",
    summary: "Update your profile",
    description: "Read-only fields are ignored.",
    auth: "user",
    scope: "profile",
    body: MeBody,
    accepts: ["json", "form", "multipart"],
    precondition: "If-Match",
    replies: { 200: Me },
  },
  async (c, { body }) => c.json(representMe(await changeMe(c, body.user), c.env)),
);

async function changeMe(c: Context<UserEnv>, given: z.output<typeof MeBody>["user"]) {
  const { avatar_data, ...changes } = given;
  if (changes.username && isReservedName(changes.username, siteName(c.env)))
    await requirePresentName(c, changes.username);
  const avatar_version = avatar_data && (await storeAvatarField(c, "user[avatar_data]", avatar_data.bytes));
  const changed = await updateMe(
    c.var.db,
    c.var.viewer,
    { ...changes, ...(changes.username && usernameKeys(changes.username)), avatar_version },
    expectedVersions(c),
  );
  if (changed.outcome === "username_taken") invalid(`user[username]: ${USERNAME_TAKEN}`);
  return changed.outcome === "done" ? changed.user : changedSince("Your profile");
}

/** A user keeps a name that an operator assigned, or that the service reserved later. */
async function requirePresentName(c: Context<UserEnv>, name: string): Promise<void> {
  const user = await findMe(c.var.db, c.var.viewer);
  if (user?.username !== name) invalid(`user[username]: ${RESERVED}`);
}
