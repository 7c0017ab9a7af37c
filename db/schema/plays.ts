import { index, integer, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { bytes, instant, reference } from "./columns.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/**
 * Time of a listener's last counted play of a track. The mark is a keyed digest that reveals neither. The sweep
 * deletes it after some hours.
 */
export const playMarks = pgTable(
  "play_marks",
  { mark: bytes().primaryKey(), countedAt: instant().notNull() },
  (table) => [index("play_marks_counted_at_idx").on(table.countedAt)],
);

/** History of a user's plays: the newest play of each track. */
export const recentPlays = pgTable(
  "recent_plays",
  {
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
    playedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.trackId] }),
    index("recent_plays_user_id_idx").on(table.userId, table.playedAt),
    index("recent_plays_track_id_idx").on(table.trackId),
  ],
);

/** Number of a user's counted plays of a track. `recent_plays` loses old rows, this table does not. */
export const userPlays = pgTable(
  "user_plays",
  {
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
    plays: integer().notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.trackId] }),
    index("user_plays_track_id_idx").on(table.trackId),
  ],
);
