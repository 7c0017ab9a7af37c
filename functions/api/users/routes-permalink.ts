import type { Context } from "hono";
import { changeUserPermalink, findUserAddress } from "../../../db/queries/addresses.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { changedSince, invalid, notFound, tooMany } from "../../lib/http/errors.ts";
import { expectedVersions } from "../../lib/http/etag.ts";
import { Routes } from "../../lib/http/route.ts";
import { usernameKeys } from "../../lib/text/look-alike.ts";
import {
  PERMALINK_TAKEN,
  Permalink,
  refuseReservedName,
  representPermalink,
  UserPermalinkBody,
} from "./permalinks.ts";

/** {base_url}: the permalink of the authenticated user. */
export const userPermalink = new Routes();

userPermalink.get(
  "/me/permalink",
  {
    operationId: "getMyPermalink",
    summary: "Get your permalink",
    description: "Includes the former ones, which still lead to your profile.",
    auth: "user",
    replies: { 200: Permalink },
  },
  async (c) => {
    const address = (await findUserAddress(c.var.db, c.var.viewer)) ?? notFound("User");
    return c.json(representPermalink(c.env, address, address.permalink));
  },
);

userPermalink.put(
  "/me/permalink",
  {
    operationId: "updateMyPermalink",
    summary: "Change your permalink",
    description:
      "Moves your profile, your tracks and your playlists to new addresses. The former ones redirect for ever: nobody else can have them, and you can return to them. You can move three times in 30 days.",
    auth: "user",
    scope: "profile",
    body: UserPermalinkBody,
    accepts: ["json", "form"],
    precondition: "If-Match",
    replies: { 200: Permalink },
    errors: { 429: "You changed it three times in 30 days." },
  },
  async (c, { body }) => c.json(await change(c, body.permalink)),
);

const A_DAY_S = 86_400;

async function change(c: Context<UserEnv>, permalink: string) {
  refuseReservedName(c.env, permalink);
  const look = usernameKeys(permalink).look_alike_key;
  const changed = await changeUserPermalink(c.var.db, c.var.viewer, { permalink, look }, expectedVersions(c));
  switch (changed.outcome) {
    case "done":
      return representPermalink(c.env, changed.address, changed.address.permalink);
    case "permalink_changed_often":
      return tooMany("permalink: was changed three times in 30 days; try again later", A_DAY_S);
    case "unexpected":
      return changedSince("Your profile");
    default:
      return invalid(`permalink: ${PERMALINK_TAKEN}`);
  }
}
