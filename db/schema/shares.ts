import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { newId, reference } from "./columns.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/** Who a track is shared with, private or not. The id tells when, and orders the feed of whoever it was shared with. */
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
