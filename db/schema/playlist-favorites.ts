import { pgTable, primaryKey } from "drizzle-orm/pg-core";
import { newId, reference } from "./columns.ts";
import { users } from "./people.ts";
import { playlists } from "./playlists.ts";

const columns = {
  id: newId(),
  userId: reference()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  playlistId: reference()
    .notNull()
    .references(() => playlists.id, { onDelete: "cascade" }),
};

/** Favorites of playlists, like `favorites` of tracks. */
export const playlistFavorites = pgTable("playlist_favorites", columns, (table) => [
  primaryKey({ columns: [table.userId, table.playlistId] }),
]);

/** Reposts of playlists, like `reposts` of tracks. */
export const playlistReposts = pgTable("playlist_reposts", columns, (table) => [
  primaryKey({ columns: [table.userId, table.playlistId] }),
]);
