import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** How much of a budget is used. The window begins with its first request; one that ended is swept. */
export const budgets = pgTable(
  "budgets",
  {
    /** The budget and whose it is: `likes 123`. */
    bucket: text().primaryKey(),
    taken: integer().notNull(),
    endsAt: instant().notNull(),
  },
  (table) => [index("budgets_ends_at_idx").on(table.endsAt)],
);
