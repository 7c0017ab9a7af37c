import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";

/** What may be done in a window that begins with the first request: `take_budget` reads it. */
export interface BudgetLimit {
  name: string;
  max: number;
  window_s: number;
}

/** What a statement says of the budget that it counted against. Refused, it has done nothing. */
export const Spent = () =>
  z.strictObject({
    refused: z.boolean(),
    max: z.number(),
    remaining: z.number(),
    /** Seconds until the window ends. */
    reset_s: z.number(),
  });
export type Spent = Told<typeof Spent>;

/** Nothing was done. */
export const OverBudget = () =>
  z.strictObject({
    outcome: z.literal("over_budget"),
    spent: Spent(),
  });
export type OverBudget = Told<typeof OverBudget>;

/** As `take_budget` reads it; null is without limit. */
export const budgetJson = (limit: BudgetLimit | null) => limit && JSON.stringify(limit);

/** Windows that ended, some at a time. */
export const forgetBudgets = (db: Database, limit: number) =>
  db.call("forget_budgets", () => z.number(), { limit });
