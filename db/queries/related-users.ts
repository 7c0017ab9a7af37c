import { and, desc, eq, isNull, lte, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database } from "../client.ts";
import { followings } from "../schema/followings.ts";
import { users } from "../schema/people.ts";
import { builder } from "../stored-select.ts";
import { type Caller, firstIdAt, IDS_PER_MS, sessionOf } from "./caller.ts";
import { number } from "./show-parts.ts";
import { showUsers, type UserRow } from "./show-users.ts";
import { wordsOf } from "./track-filters.ts";
import type { UserSearch } from "./user-lists.ts";
import { existingUser } from "./users.ts";

/** Bounds the cost: only the newest followings of each are read. */
const FOLLOWERS = 200;
const FOLLOWED = 100;

/** End of a page. Followings above `high` are newer than the first page, and would change ranks. */
export interface RelatedUserPosition {
  id: number;
  rank: number;
  high: number;
}

interface RelatedUsersQuery {
  filter: UserSearch;
  page: { limit: number; offset: number } & Partial<RelatedUserPosition>;
}

/** Ranks users by common followers, newest first among equals. `undefined` if the user does not exist. */
export async function listRelatedUsers(
  db: Database,
  caller: Caller,
  id: number,
  query: RelatedUsersQuery,
): Promise<{ users: UserRow[]; next: RelatedUserPosition | null } | undefined> {
  const { limit } = query.page;
  const [found, rows] = await db.readAll([
    existingUser(caller, id),
    showUsers.chosenBy(chooseRelated(caller, id, query), sessionOf(caller)),
  ]);
  if (found.length === 0) return undefined;
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    users: rows.slice(0, limit),
    next: last ? { id: last.id, rank: last.rank, high: last.high } : null,
  };
}

const theirs = alias(followings, "theirs");

function chooseRelated({ userId }: Caller, id: number, { filter, page }: RelatedUsersQuery) {
  // The newest id that `next_id` can have assigned by now.
  const high =
    page.high === undefined
      ? sql`(${firstIdAt(sql`statement_timestamp()`)} + ${IDS_PER_MS - 1})`
      : sql`${page.high}::bigint`;
  const fans = builder
    .select({ id: followings.userId })
    .from(followings)
    .where(and(eq(followings.followeeId, id), lte(followings.id, high)))
    .orderBy(desc(followings.id))
    .limit(FOLLOWERS)
    .as("fans");
  const followed = builder
    .select({ id: theirs.followeeId })
    .from(theirs)
    .where(and(eq(theirs.userId, fans.id), lte(theirs.id, high)))
    .orderBy(desc(theirs.id))
    .limit(FOLLOWED)
    .as("followed");
  const common = builder
    .select({ id: followed.id, rank: sql<number>`count(*)`.as("rank") })
    .from(fans)
    .innerJoinLateral(followed, sql`true`)
    .where(and(ne(followed.id, id), sql`${followed.id} is distinct from ${userId}`))
    .groupBy(followed.id)
    .as("common");
  // The bound makes PostgreSQL look for these users only, however many it expects.
  const found = builder.select().from(users).where(eq(users.id, common.id)).limit(1).as("found");
  const { ids } = filter;
  const words = wordsOf(filter);
  const isBehind =
    page.id === undefined
      ? undefined
      : sql`(${common.rank}, ${common.id}) < (${page.rank ?? 0}::bigint, ${page.id}::bigint)`;
  return builder
    .select({ id: common.id, rank: number(sql`${common.rank}`), high: number(high) })
    .from(common)
    .innerJoinLateral(found, sql`true`)
    .where(
      and(
        isNull(found.disabledAt),
        ids && sql`${found.id} = any (${sql.param(ids)}::bigint[])`,
        words && sql`${found.document} @@ ${words}`,
        isBehind,
      ),
    )
    .orderBy(desc(common.rank), desc(common.id))
    .limit(page.limit + 1)
    .offset(page.offset);
}
