import type { Database } from "../client.ts";
import { type BudgetLimit, budgetJson, type OverBudget, type Spent } from "./budgets.ts";
import { bytea, type Caller, callAs, repeatAs } from "./caller.ts";
import type { UserRow } from "./people.ts";

/** `undefined` where there is none, or one who left. */
export const findUser = (db: Database, caller: Caller, id: number) =>
  callAs<{ user: UserRow | null }>(db, "find_user", caller, id);

/** What `list_users` reads. `undefined` is left out on the way. */
export interface UserFilter {
  /** Of whose followings or followers, or of what favoriters or reposters; of all users where left out. */
  relation?:
    | "followings"
    | "followers"
    | "favoriters"
    | "reposters"
    | "playlist_favoriters"
    | "playlist_reposters"
    | undefined;
  owner?: number | undefined;
  track?: number | undefined;
  playlist?: number | undefined;
  ids?: number[] | undefined;
  words?: string[] | undefined;
  phrases?: string[] | undefined;
}

/** Where a page ended. In a ranking `low` and `high` are the ends of what is ranked. */
export interface UserPosition {
  id: number;
  rank?: number;
  low?: number;
  high?: number;
}

export interface UserPage extends Partial<UserPosition> {
  limit: number;
  offset: number;
}

export type UserList = { found: false } | { found: true; users: UserRow[]; next?: UserPosition | null };

/** `found` is whether there is such an owner, or such a track or playlist for this caller, whom the secret may open it to. */
export const listUsers = (
  db: Database,
  caller: Caller,
  filter: UserFilter,
  page: UserPage,
  secretHash?: Uint8Array,
) =>
  callAs<UserList>(
    db,
    "list_users",
    caller,
    JSON.stringify(filter),
    JSON.stringify(page),
    secretHash ? bytea(secretHash) : null,
  );

/** Where a page ended; followings above `high` came after the first. */
export interface RelatedUserPosition {
  id: number;
  rank: number;
  high: number;
}

interface RelatedUsersQuery {
  filter: Pick<UserFilter, "ids" | "words" | "phrases">;
  page: { limit: number; offset: number } & Partial<RelatedUserPosition>;
}

type RelatedUsers = { found: false } | { found: true; users: UserRow[]; next: RelatedUserPosition | null };

/** `found` is whether there is such a user. */
export const listRelatedUsers = (
  db: Database,
  caller: Caller,
  id: number,
  { filter, page }: RelatedUsersQuery,
) => callAs<RelatedUsers>(db, "list_related_users", caller, id, JSON.stringify(filter), JSON.stringify(page));

/** Users' sessions were used just now. Of how many that is news. */
export const notePresence = (db: Database, sessionIds: number[]) =>
  db.call<number>("note_presence", [`{${sessionIds}}`]);

export interface Following {
  follower: number;
  followee: number;
}

/** The one of the two that is asked for; none where the one does not follow the other. */
export const findFollowing = (db: Database, caller: Caller, following: Following, asked: keyof Following) =>
  callAs<{ user?: UserRow }>(
    db,
    "find_following",
    caller,
    following.follower,
    following.followee,
    following[asked],
  );

export type FollowRefusal = "not_yours" | "oneself" | "unknown" | "too_many";

export type Followed =
  | { outcome: "made" | "stood"; user: UserRow; spent: Spent | null }
  | { outcome: FollowRefusal }
  | OverBudget;

/** `limit` is how many a user may follow. */
export const follow = (
  db: Database,
  caller: Caller,
  { follower, followee }: Following,
  limit: number,
  budget: BudgetLimit | null,
) => repeatAs<Followed>(db, "follow", caller, follower, followee, limit, budgetJson(budget));

export const unfollow = (db: Database, caller: Caller, { follower, followee }: Following) =>
  repeatAs<{ outcome: "gone" | FollowRefusal }>(db, "unfollow", caller, follower, followee);
