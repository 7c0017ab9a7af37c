import { sql } from "drizzle-orm";
import { check, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { newId, reference } from "./columns.ts";
import { users } from "./people.ts";

/** Who follows whom. The id orders lists; indexes by either side are in the migration, for they include the other. */
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
