import type { Context } from "hono";
import * as z from "zod";
import type { ListPosition } from "../../../db/queries/choose-matches.ts";
import { listUsers, type UserFilter } from "../../../db/queries/user-lists.ts";
import type { TokenEnv, UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { Offset, PagingById, pageOf, readPage } from "../../lib/http/paging.ts";
import { idText } from "../../lib/text/fields.ts";
import { Corrected, Forgiving, idsOf, listOf, parseSearch, SearchText, URNS } from "../../lib/text/search.ts";
import { representUser, User } from "./representation.ts";

const MAX_IDS = 200;

export const UserPage = pageOf(User, "me/followers").extend(Corrected).meta({ id: "UserPage" });

export const Users = z.union([z.array(User), UserPage]).meta({ id: "Users" });

const ids = listOf(idText("users"), MAX_IDS).optional();

/** Query of every list of users. */
export const UserListQuery = z.object({
  q: SearchText.describe(
    "Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first.",
  ),
  forgiving: Forgiving,
  ids: ids.describe("Ids or URNs, comma-separated, 200 at most."),
  urns: ids.meta({ ...URNS, description: "The same as `ids`." }),
  ...PagingById.shape,
  ...Offset.shape,
});
type UserListQuery = z.output<typeof UserListQuery>;

/** Sends a page of users, newest or best match first, in the common form of these lists. */
export async function userPage(
  c: Context<TokenEnv> | Context<UserEnv>,
  given: UserListQuery,
  of: Pick<UserFilter, "relation" | "owner" | "track" | "playlist"> = {},
  secretHash?: Uint8Array,
): Promise<z.infer<typeof UserPage>> {
  const filter = { ...of, ...parseSearch(given), ids: idsOf(given.ids, given.urns) };
  const { page, nextHref } = readPage<ListPosition>(c, c.req.path, filter, given);
  const found = await listUsers(c.var.db, c.var.viewer, filter, page, secretHash);
  if (!found) return notFound(of.track ? "Track" : of.playlist ? "Playlist" : "User");
  const corrected_q = found.meant;
  const next_href = nextHref(found.next, corrected_q);
  return {
    collection: found.users.map((user) => representUser(user, c.env)),
    ...(next_href && { next_href }),
    ...(corrected_q !== undefined && { corrected_q }),
  };
}
