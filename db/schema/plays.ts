import { index, integer, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { bytes, instant, reference } from "./columns.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/**
 * When a listener's play of a track was counted last. Whoever reads it learns neither who nor what: the mark is a keyed
 * digest of both. Swept after some hours.
 */
export const playMarks = pgTable(
  "play_marks",
  { mark: bytes().primaryKey(), countedAt: instant().notNull() },
  (table) => [index("play_marks_counted_at_idx").on(table.countedAt)],
);

/** What a user played, each track once, the newest only. */
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

/** How often a user's plays of a track were counted. `recent_plays` forgets, this does not. */
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
