import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { newId, reference } from "./columns.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/** Users with whom a track is shared. The id orders the feed of the recipient. */
export const trackShares = pgTable(
  "track_shares",
  {
    id: newId(),
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    note: text(),
  },
  (table) => [primaryKey({ columns: [table.trackId, table.userId] })],
);
