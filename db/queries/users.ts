import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import * as z from "zod";
import type { Database } from "../client.ts";
import { followings } from "../schema/followings.ts";
import { sessions } from "../schema/grants.ts";
import { users } from "../schema/people.ts";
import { builder, selected } from "../stored-select.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, firstRow, type SignedIn, sessionOf, signedIn } from "./caller.ts";
import { showUsers } from "./show-users.ts";

/** `undefined` if the user does not exist or was disabled. */
export const findUser = (db: Database, caller: Caller, id: number) =>
  db.read(showUsers.with({ ids: [id], ...sessionOf(caller) })).then(firstRow);

/** Records that sessions were just used, unless they were within the last minute. Skips those that others are noting. */
export const notePresence = (db: Database, ids: number[]) =>
  db.write((on) => {
    const due = on
      .select({ id: sessions.id })
      .from(sessions)
      .where(
        and(
          inArray(sessions.id, ids),
          isNull(sessions.revokedAt),
          sql`(${sessions.lastUsedAt} < now() - interval '1 minute') is not false`,
        ),
      )
      .for("no key update", { skipLocked: true });
    return on.update(sessions).set({ lastUsedAt: sql`now()` }).where(inArray(sessions.id, due));
  });

export interface Following {
  follower: number;
  followee: number;
}

const other = alias(users, "other");

/** Finds follower or followee, if the following exists and neither has left. */
export function findFollowing(
  db: Database,
  caller: Caller,
  { follower, followee }: Following,
  asked: keyof Following,
) {
  const { userId, followeeId } = followings;
  const [shown, beside] = asked === "follower" ? [userId, followeeId] : [followeeId, userId];
  const choice = builder
    .select({ id: shown })
    .from(followings)
    .innerJoin(other, eq(other.id, beside))
    .where(and(eq(userId, follower), eq(followeeId, followee), isNull(other.disabledAt)));
  return db.read(showUsers.chosenBy(choice, sessionOf(caller))).then(firstRow);
}

/** Finds one user who has not left. */
export const existingUser = (caller: Caller, id: number) =>
  selected(
    builder
      .select({ id: users.id })
      .from(users)
      .where(and(signedIn(caller), isPresent(id))),
  );

const isPresent = (id: number) => and(eq(users.id, id), isNull(users.disabledAt));

export type FollowRefusal = "not_yours" | "oneself" | "unknown" | "too_many";

/** Followings that are another user's exist if both users do. */
async function refuseOthers(db: Database, caller: Caller, { follower, followee }: Following) {
  const found = await db.readAll([existingUser(caller, follower), existingUser(caller, followee)]);
  return { outcome: found.every(({ length }) => length > 0) ? "not_yours" : "unknown" } as const;
}

const Followed = () =>
  z.union([
    z.strictObject({
      outcome: z.enum(["made", "stood"]),
      spent: Spent().nullable(),
    }),
    z.strictObject({
      outcome: z.enum(["unknown", "too_many"]),
    }),
    OverBudget(),
  ]);

/** Makes a following, once, and shows the followee. `limit` is the number of users that one may follow. */
export async function follow(
  db: Database,
  caller: SignedIn,
  following: Following,
  limit: number,
  budget: BudgetLimit | null,
) {
  const { follower, followee } = following;
  if (follower !== caller.userId) return refuseOthers(db, caller, following);
  if (followee === follower) return { outcome: "oneself" } as const;
  const session = sessionOf(caller);
  const { reply, read } = await db.callThenRead(
    "follow",
    Followed,
    { ...session, followee, limit, budget },
    [showUsers.with({ ids: [followee], ...session })],
    "repeatable",
  );
  return { ...reply, user: firstRow(read[0]) };
}

/** Deletes a following, even of a disabled user, who still counts towards the limit. */
export async function unfollow(
  db: Database,
  caller: SignedIn,
  following: Following,
): Promise<{ outcome: "gone" | "not_yours" | "unknown" }> {
  const { follower, followee } = following;
  if (follower !== caller.userId) return refuseOthers(db, caller, following);
  const [found] = await db.write((on) => {
    const gone = on.$with("gone").as(
      on
        .delete(followings)
        .where(and(eq(followings.userId, follower), eq(followings.followeeId, followee)))
        .returning({ id: followings.followeeId }),
    );
    const followed = on.select({ id: users.id }).from(users).where(isPresent(followee));
    return on
      .with(gone)
      .select({ isGone: sql<boolean>`exists (select from ${gone}) or exists ${followed}` })
      .from(sql`(values (1)) one`)
      .where(signedIn(caller));
  }, "repeatable");
  return { outcome: found?.isGone ? "gone" : "unknown" };
}
