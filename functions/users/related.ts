import { Hono } from "hono";
import { listRelatedUsers } from "../../db/queries/users.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { filteredList, nextPage, pageSize, readPosition, sendCollection } from "../http/paging.ts";
import { idsOf, searched } from "../http/search.ts";
import { requireToken } from "../http/viewer.ts";
import { UserId } from "./input.ts";
import { UserListQuery, Users } from "./list.ts";
import { representUser } from "./representation.ts";

/** Below `/users`. */
export const relatedUsers = new Hono<AppEnv>().get(
  "/:id/related",
  operation(
    "List users who are related to a user",
    { 200: Users, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody },
    {
      description:
        "Those whom the user's followers follow as well, most shared followers first. The newest 200 followers are looked at, and of each the newest 100 followings. You yourself are left out. A search leaves the order as it is.",
    },
  ),
  requireToken,
  param(UserId),
  query(UserListQuery),
  async (c) => {
    const { id } = c.req.valid("param");
    const given = c.req.valid("query");
    const filter = { ...searched(given.q), ids: idsOf(given.ids, given.urns) };
    const list = filteredList(`users/${id}/related`, filter);
    const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
    const position = readPosition(scope, given.cursor);
    const page = {
      limit: pageSize(given),
      offset: position ? 0 : given.offset,
      ...(position && JSON.parse(position)),
    };
    const found = await listRelatedUsers(c.var.db, c.var.viewer, id, { filter, page });
    if (!found.found) return notFound("User");
    const users = found.users.map((user) => representUser(user, c.env));
    const next = found.next && nextPage(scope, JSON.stringify(found.next), c.req.url, c.env);
    return sendCollection(c, given.linked_partitioning, users, next);
  },
);
