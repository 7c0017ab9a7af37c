import { bigint, boolean, pgTable } from "drizzle-orm/pg-core";
import { searchDocument } from "./columns.ts";

/**
 * Search words of playlists. A migration created the table, and triggers write it. It is not in the schema's index,
 * so drafts leave it out.
 */
export const playlistSearch = pgTable("playlist_search", {
  id: bigint({ mode: "number" }).primaryKey(),
  userId: bigint({ mode: "number" }).notNull(),
  public: boolean().notNull(),
  document: searchDocument().notNull(),
});
