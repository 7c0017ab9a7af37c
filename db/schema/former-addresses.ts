import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, instant, reference } from "./columns.ts";
import { users } from "./people.ts";
import { playlists } from "./playlists.ts";
import { tracks } from "./tracks.ts";

/**
 * Permalinks that users, tracks and playlists had before, which lead to them for ever. A trigger writes them. Without
 * track and playlist, the row is the user's own.
 */
export const formerAddresses = pgTable(
  "former_addresses",
  {
    id: id(),
    /** The user, or the owner of the track or playlist. */
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    trackId: reference().references(() => tracks.id, { onDelete: "cascade" }),
    playlistId: reference().references(() => playlists.id, { onDelete: "cascade" }),
    /** In lower case. */
    permalink: text().notNull(),
    leftAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("former_addresses_user_key")
      .on(table.permalink)
      .where(sql`${table.trackId} is null and ${table.playlistId} is null`),
    uniqueIndex("former_addresses_track_key")
      .on(table.userId, table.permalink)
      .where(sql`${table.trackId} is not null`),
    uniqueIndex("former_addresses_playlist_key")
      .on(table.userId, table.permalink)
      .where(sql`${table.playlistId} is not null`),
    index("former_addresses_user_id_idx").on(table.userId),
    index("former_addresses_track_id_idx").on(table.trackId).where(sql`${table.trackId} is not null`),
    index("former_addresses_playlist_id_idx")
      .on(table.playlistId)
      .where(sql`${table.playlistId} is not null`),
    check("former_addresses_subject", sql`num_nonnulls(${table.trackId}, ${table.playlistId}) <= 1`),
  ],
);

/** Deleted tracks whose place another took. Their ids lead to it. */
export const supersededTracks = pgTable(
  "superseded_tracks",
  {
    /** Id of the deleted track. */
    id: reference().primaryKey(),
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
    supersededAt: instant().notNull().defaultNow(),
  },
  (table) => [index("superseded_tracks_track_id_idx").on(table.trackId)],
);
