import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** Used part of a budget. The window begins with its first request; the sweep deletes windows that ended. */
export const budgets = pgTable(
  "budgets",
  {
    /** Name and owner of the budget, such as `likes 123`, or `likes 123 <client_id>` in one app. */
    bucket: text().primaryKey(),
    taken: integer().notNull(),
    endsAt: instant().notNull(),
  },
  (table) => [index("budgets_ends_at_idx").on(table.endsAt)],
);
