import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { planQuotas, userQuotas } from "../schema/moderation.ts";
import { users } from "../schema/people.ts";
import { type By, mayAct, mayRead, noted, type Operator } from "./acts.ts";
import { onlyRow } from "./caller.ts";
import type { ModeratedUser } from "./moderation.ts";
import type { LimitName, QuotaRow } from "./people.ts";

type Plan = ModeratedUser["plan"];

const PLANS: readonly Plan[] = ["free", "artist", "artist-pro"];

/** Limits to change. Null means no limit for a plan, and the plan's limit for a user; -1 means no limit for a user. */
export type Limits = Partial<Record<LimitName, number | null>>;

/** Sets the limits of one user in place of the plan's. */
export const setUserQuota = (db: Database, by: By, user: number, changes: Limits) =>
  db
    .writeAll((on) => {
      const { seconds = null, bytes = null, tracks = null } = changes;
      const isUser = eq(users.id, user);
      const lock = on
        .select({ id: users.id })
        .from(users)
        .where(and(mayAct(by), isUser))
        .for("no key update");
      const own = on
        .select({
          userId: users.id,
          seconds: sql`${seconds}`.as("seconds"),
          bytes: sql`${bytes}`.as("bytes"),
          tracks: sql`${tracks}`.as("tracks"),
        })
        .from(users)
        .where(isUser);
      const changed = on
        .insert(userQuotas)
        .select(own)
        .onConflictDoUpdate({ target: userQuotas.userId, set: changes });
      const isEmpty = sql`coalesce(${userQuotas.seconds}, ${userQuotas.bytes}, ${userQuotas.tracks}) is null`;
      const emptied = on.delete(userQuotas).where(and(eq(userQuotas.userId, user), isEmpty));
      const target = { kind: "user", id: users.id, name: users.permalink };
      const shown = on
        .select({
          quota: sql<QuotaRow>`quota_of(${users.id})`,
          noted: noted(by, "user.quota", target, changes),
        })
        .from(users)
        .where(isUser);
      return [lock, changed, emptied, shown];
    })
    .then(([found]) =>
      found ? ({ outcome: "done", ...found } as const) : ({ outcome: "unknown" } as const),
    );

/** Sets the limits of a plan that `changes` names. An insert has no `where`, so the end checks who acts. */
export const setPlanQuota = (db: Database, by: By, plan: Plan, changes: Limits) =>
  db
    .write((on) => {
      const changed = on.$with("changed").as(
        on
          .insert(planQuotas)
          .values({ plan, ...changes })
          .onConflictDoUpdate({ target: planQuotas.plan, set: changes })
          .returning(),
      );
      const { seconds, bytes, tracks } = changed;
      const target = { kind: "plan", id: null, name: plan };
      return on
        .with(changed)
        .select({
          quota: { plan: changed.plan, seconds, bytes, tracks },
          noted: noted(by, "plan.quota", target, changes),
        })
        .from(changed)
        .where(mayAct(by));
    })
    .then((rows) => onlyRow(rows).quota);

/** Plans with limits. The others have none. */
export const listPlanQuotas = (db: Database, operator: Operator) =>
  db.read((on) => on.select().from(planQuotas).where(mayRead(operator)).orderBy(planQuotas.plan));

/** The limits of every plan. */
export async function showPlanQuotas(db: Database, operator: Operator) {
  const limited = await listPlanQuotas(db, operator);
  const free = { seconds: null, bytes: null, tracks: null };
  return PLANS.map((plan) => limited.find((quota) => quota.plan === plan) ?? { plan, ...free });
}
