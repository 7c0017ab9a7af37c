import { pgTable, primaryKey } from "drizzle-orm/pg-core";
import { newId, reference } from "./columns.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/** A favorite, called like on the wire. The id orders lists. A migration creates the indexes, which include the other side. */
export const favorites = pgTable(
  "favorites",
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
