import type { Database } from "../client.ts";

/** What may be done in a window that begins with the first request: `take_budget` reads it. */
export interface BudgetLimit {
  name: string;
  max: number;
  window_s: number;
}

/** What a statement says of the budget that it counted against. Refused, it has done nothing. */
export interface Spent {
  refused: boolean;
  max: number;
  remaining: number;
  /** Seconds until the window ends. */
  reset_s: number;
}

/** Nothing was done. */
export interface OverBudget {
  outcome: "over_budget";
  spent: Spent;
}

/** As `take_budget` reads it; null is without limit. */
export const budgetJson = (limit: BudgetLimit | null) => limit && JSON.stringify(limit);

/** Windows that ended, some at a time. */
export const forgetBudgets = (db: Database, limit: number) => db.call<number>("forget_budgets", [limit]);
