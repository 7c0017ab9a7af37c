import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";
import { UserRow } from "./people.ts";

/** `undefined` where there is none, or one who left. */
export const findUser = (db: Database, caller: Caller, id: number) =>
  callAs(
    db,
    "find_user",
    () =>
      z.strictObject({
        user: UserRow().nullable(),
      }),
    caller,
    { id },
  );

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
export const UserPosition = () =>
  z.strictObject({
    id: z.number(),
    rank: z.number().optional(),
    low: z.number().optional(),
    high: z.number().optional(),
  });
export type UserPosition = Told<typeof UserPosition>;

export interface UserPage extends Partial<UserPosition> {
  limit: number;
  offset: number;
}

export const UserList = () =>
  z.union([
    z.strictObject({
      found: z.literal(false),
    }),
    z.strictObject({
      found: z.literal(true),
      users: z.array(UserRow()),
      next: UserPosition().nullable().optional(),
    }),
  ]);
export type UserList = Told<typeof UserList>;

/** `found` is whether there is such an owner, or such a track or playlist for this caller, whom the secret may open it to. */
export const listUsers = (
  db: Database,
  caller: Caller,
  filter: UserFilter,
  page: UserPage,
  secretHash?: Uint8Array,
) => callAs(db, "list_users", UserList, caller, { filter, page, secret_hash: secretHash ?? null });

/** Where a page ended; followings above `high` came after the first. */
export const RelatedUserPosition = () =>
  z.strictObject({
    id: z.number(),
    rank: z.number(),
    high: z.number(),
  });
export type RelatedUserPosition = Told<typeof RelatedUserPosition>;

interface RelatedUsersQuery {
  filter: Pick<UserFilter, "ids" | "words" | "phrases">;
  page: { limit: number; offset: number } & Partial<RelatedUserPosition>;
}

const RelatedUsers = () =>
  z.union([
    z.strictObject({
      found: z.literal(false),
    }),
    z.strictObject({
      found: z.literal(true),
      users: z.array(UserRow()),
      next: RelatedUserPosition().nullable(),
    }),
  ]);

/** `found` is whether there is such a user. */
export const listRelatedUsers = (
  db: Database,
  caller: Caller,
  id: number,
  { filter, page }: RelatedUsersQuery,
) => callAs(db, "list_related_users", RelatedUsers, caller, { id, filter, page });

/** Users' sessions were used just now. Of how many that is news. */
export const notePresence = (db: Database, sessionIds: number[]) =>
  db.call("note_presence", () => z.number(), { sessions: sessionIds });

export interface Following {
  follower: number;
  followee: number;
}

/** The one of the two that is asked for; none where the one does not follow the other. */
export const findFollowing = (db: Database, caller: Caller, following: Following, asked: keyof Following) =>
  callAs(
    db,
    "find_following",
    () =>
      z.strictObject({
        user: UserRow().optional(),
      }),
    caller,
    { follower: following.follower, followee: following.followee, shown: following[asked] },
  );

export const FollowRefusal = () => z.enum(["not_yours", "oneself", "unknown", "too_many"]);
export type FollowRefusal = Told<typeof FollowRefusal>;

export const Followed = () =>
  z.union([
    z.strictObject({
      outcome: z.enum(["made", "stood"]),
      user: UserRow(),
      spent: Spent().nullable(),
    }),
    z.strictObject({
      outcome: FollowRefusal(),
    }),
    OverBudget(),
  ]);
export type Followed = Told<typeof Followed>;

/** `limit` is how many a user may follow. */
export const follow = (
  db: Database,
  caller: Caller,
  { follower, followee }: Following,
  limit: number,
  budget: BudgetLimit | null,
) => repeatAs(db, "follow", Followed, caller, { follower, followee, limit, budget });

export const unfollow = (db: Database, caller: Caller, { follower, followee }: Following) =>
  repeatAs(
    db,
    "unfollow",
    () =>
      z.strictObject({
        outcome: z.union([z.literal("gone"), FollowRefusal()]),
      }),
    caller,
    { follower, followee },
  );
