import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { instant, reference } from "./columns.ts";
import { users } from "./people.ts";
import { playlists } from "./playlists.ts";
import { tracks } from "./tracks.ts";

/**
 * Changes of counters by hour, day and month (UTC). The statement that adds deltas to a counter adds them here, so both sum up
 * to the same. Hours are deleted after weeks; days and months stay.
 */
const counts = () => ({
  /** `hour`, `day` or `month`. */
  grain: text().notNull(),
  startedAt: instant().notNull(),
  plays: integer().notNull().default(0),
  downloads: integer().notNull().default(0),
  likes: integer().notNull().default(0),
  reposts: integer().notNull().default(0),
  comments: integer().notNull().default(0),
  followers: integer().notNull().default(0),
});

export const trackInsights = pgTable(
  "track_insights",
  {
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
    ...counts(),
  },
  (table) => [
    primaryKey({ columns: [table.trackId, table.grain, table.startedAt] }),
    index("track_insights_hours_idx").on(table.startedAt).where(sql`${table.grain} = 'hour'`),
  ],
);

/** Likes and reposts of the playlist itself. */
export const playlistInsights = pgTable(
  "playlist_insights",
  {
    playlistId: reference()
      .notNull()
      .references(() => playlists.id, { onDelete: "cascade" }),
    ...counts(),
  },
  (table) => [
    primaryKey({ columns: [table.playlistId, table.grain, table.startedAt] }),
    index("playlist_insights_hours_idx").on(table.startedAt).where(sql`${table.grain} = 'hour'`),
  ],
);

/** Sums of a user's tracks, and followers. A thousand tracks would be too many rows to add up at a read. */
export const userInsights = pgTable(
  "user_insights",
  {
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    ...counts(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.grain, table.startedAt] }),
    index("user_insights_hours_idx").on(table.startedAt).where(sql`${table.grain} = 'hour'`),
  ],
);

/**
 * Plays by day and month and by something else: `country`, `app`, `referrer`, the `quarter` of the track that was reached, or
 * nothing (`all`). Listeners are codes of 14 bits, which name nobody: see `listenerCode`. `all` keeps the largest code of each
 * register and the estimate of them all; the others keep five codes at most: as many as a country needs to be named.
 */
const breakdown = () => ({
  dimension: text().notNull(),
  /** `day` or `month`. */
  grain: text().notNull(),
  startedAt: instant().notNull(),
  /** "" if unknown. */
  value: text().notNull(),
  plays: integer().notNull(),
  listeners: smallint().array().notNull().default(sql`'{}'`),
  listenerCount: integer().generatedAlwaysAs(
    sql`case when dimension = 'all' then estimate_listeners(listeners) end`,
  ),
});

export const trackBreakdowns = pgTable(
  "track_breakdowns",
  {
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
    ...breakdown(),
  },
  (table) => [
    primaryKey({ columns: [table.trackId, table.dimension, table.grain, table.startedAt, table.value] }),
  ],
);

export const userBreakdowns = pgTable(
  "user_breakdowns",
  {
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    ...breakdown(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.dimension, table.grain, table.startedAt, table.value] }),
  ],
);

/**
 * Counted plays that the sweep has yet to add to the breakdowns. Plays of deleted tracks are dropped: a foreign key would lock
 * the track's row at every play.
 */
export const pendingPlays = pgTable(
  "pending_plays",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    trackId: reference().notNull(),
    hour: instant().notNull(),
    country: text(),
    app: text(),
    referrer: text(),
    listener: smallint(),
    /** The last quarter that was reached, 1 to 4, which is told after the play. Null for the play itself. */
    quarter: smallint(),
  },
  (table) => [
    index("pending_plays_track_id_idx").on(table.trackId),
    check("pending_plays_quarter", sql`${table.quarter} between 1 and 4`),
  ],
);
