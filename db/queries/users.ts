import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";
import { UserRow } from "./people.ts";

/** `user` is null if it does not exist or was disabled. */
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

/** Parsed by `list_users`. Serialization drops `undefined`. */
export interface UserFilter {
  /** Relation to `owner`, `track` or `playlist`. `undefined` lists all users. */
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

/** End of a page. In a ranking, `low` and `high` bound the ranked range. */
const UserPosition = () =>
  z.strictObject({
    id: z.number(),
    rank: z.number().optional(),
    low: z.number().optional(),
    high: z.number().optional(),
  });
export type UserPosition = ReplyOf<typeof UserPosition>;

interface UserPage extends Partial<UserPosition> {
  limit: number;
  offset: number;
}

const UserList = () =>
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

/** `found` tells whether the owner exists, or whether the caller or the secret sees the track or playlist. */
export const listUsers = (
  db: Database,
  caller: Caller,
  filter: UserFilter,
  page: UserPage,
  secretHash?: Uint8Array,
) => callAs(db, "list_users", UserList, caller, { filter, page, secret_hash: secretHash ?? null });

/** End of a page. Followings above `high` are newer than the first page. */
const RelatedUserPosition = () =>
  z.strictObject({
    id: z.number(),
    rank: z.number(),
    high: z.number(),
  });
export type RelatedUserPosition = ReplyOf<typeof RelatedUserPosition>;

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

/** `found` tells whether the user exists. */
export const listRelatedUsers = (
  db: Database,
  caller: Caller,
  id: number,
  { filter, page }: RelatedUsersQuery,
) => callAs(db, "list_related_users", RelatedUsers, caller, { id, filter, page });

/** Records that sessions were just used. Returns how many had no recent use. */
export const notePresence = (db: Database, sessionIds: number[]) =>
  db.call("note_presence", () => z.number(), { sessions: sessionIds });

export interface Following {
  follower: number;
  followee: number;
}

/** Finds follower or followee, if the following exists. */
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
export type FollowRefusal = ReplyOf<typeof FollowRefusal>;

const Followed = () =>
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

/** `limit` is the number of users that one may follow. */
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
