import { Hono } from "hono";
import { findMe, updateMe } from "../../db/queries/people.ts";
import { USERNAME_TAKEN } from "../accounts/input.ts";
import { usernameKeys } from "../accounts/look-alike.ts";
import { body, operation } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { changedSince, invalid, notFound } from "../http/errors.ts";
import { expectedVersions, guarded, tagged, taggedReply } from "../http/etag.ts";
import { requireUser } from "../http/viewer.ts";
import { storeImageField } from "../images/store.ts";
import { MeBody } from "./input.ts";
import { Me, representMe } from "./representation.ts";

export const me = new Hono<AppEnv>();

me.get("/", operation("Get the authenticated user", { 200: Me }), tagged, requireUser, async (c) => {
  const found = await findMe(c.var.db, c.var.viewer);
  const user = found.user ?? notFound("User");
  return taggedReply(c, representMe(user, c.env), user.updated_at);
});

me.put(
  "/",
  operation("Update your profile", { 200: Me }, { description: "Read-only fields are ignored." }),
  guarded,
  requireUser,
  body(MeBody, ["json", "form", "multipart"]),
  async (c) => {
    const { avatar_data, ...changes } = c.req.valid("json").user;
    const avatar_version =
      avatar_data && (await storeImageField(c, "avatar", "user[avatar_data]", avatar_data.bytes));
    const { user, username_taken } = await updateMe(
      c.var.db,
      c.var.viewer,
      { ...changes, ...(changes.username && usernameKeys(changes.username)), avatar_version },
      expectedVersions(c),
    );
    if (username_taken) invalid(`user[username]: ${USERNAME_TAKEN}`);
    return c.json(representMe(user ?? changedSince("Your profile"), c.env));
  },
);
