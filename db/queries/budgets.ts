import { inArray, lt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { budgets } from "../schema/budgets.ts";
import type { ReplyOf } from "../shape.ts";

/** Limit within a window that begins with the first request; null is none. Parsed by `take_budget` and `take_user_budget`. */
export interface BudgetLimit {
  name: string;
  max: number;
  window_s: number;
  /** Limit of all apps of a user together. `max` is then the limit of one app. */
  all_apps?: number;
}

/** Something that counts once, such as a proof of work. */
export interface SingleUse {
  name: string;
  subject: string;
  /** Seconds after which it counts no more anyway. */
  ttl_s: number;
}

/** Uses it up, by a budget of one. The state is `refused` if it was used before, and null without a use. */
export function useOnce(use: SingleUse | undefined): SQL<Spent | null> {
  const budget = use ? JSON.stringify({ name: use.name, max: 1, window_s: use.ttl_s }) : null;
  return sql`take_budget(${budget}::jsonb, ${use?.subject ?? ""})`;
}

/** State of the budget that a statement counted against. A refused statement has done nothing. */
export const Spent = () =>
  z.strictObject({
    refused: z.boolean(),
    max: z.number(),
    remaining: z.number(),
    /** Seconds until the window ends. */
    reset_s: z.number(),
    /** True: the budget of all apps of the user together. */
    all_apps: z.boolean().optional(),
  });
export type Spent = ReplyOf<typeof Spent>;

/** Refusal by a budget; nothing was done. */
export const OverBudget = () =>
  z.strictObject({
    outcome: z.literal("over_budget"),
    spent: Spent(),
  });
export type OverBudget = ReplyOf<typeof OverBudget>;

/** Refusal of an attempt that may fail, such as a sign-in, because too many did. */
export const Limited = () =>
  z.strictObject({
    outcome: z.literal("limited"),
    /** Seconds. */
    retry_after: z.number(),
  });

/** Deletes up to `limit` windows that ended, and returns their number. */
export const forgetBudgets = (db: Database, limit: number): Promise<number> =>
  db
    .write((on) => {
      const ended = on
        .select({ bucket: budgets.bucket })
        .from(budgets)
        .where(lt(budgets.endsAt, sql`now()`))
        .orderBy(budgets.endsAt)
        .limit(limit)
        .for("update", { skipLocked: true });
      return on.delete(budgets).where(inArray(budgets.bucket, ended)).returning({ one: sql`1` });
    })
    .then(({ length }) => length);
