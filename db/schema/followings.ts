import { sql } from "drizzle-orm";
import { check, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { newId, reference } from "./columns.ts";
import { users } from "./people.ts";

/** A user following another. The id orders lists. A migration creates the indexes, which include the other side. */
export const followings = pgTable(
  "followings",
  {
    id: newId(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    followeeId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.followeeId] }),
    check("followings_not_oneself", sql`${table.userId} <> ${table.followeeId}`),
  ],
);
