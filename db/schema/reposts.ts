import { pgTable, primaryKey } from "drizzle-orm/pg-core";
import { newId, reference } from "./columns.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/** A track that a user reposted. Indexes are like those of `favorites`. */
export const reposts = pgTable(
  "reposts",
  {
    id: newId(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.trackId] })],
);
