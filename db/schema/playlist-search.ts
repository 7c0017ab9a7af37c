import { bigint, boolean, pgTable } from "drizzle-orm/pg-core";
import { searchDocument } from "./columns.ts";

/** The words of playlists. A migration made the table, and triggers write it. Stands in no index of the schema, so no draft has it. */
export const playlistSearch = pgTable("playlist_search", {
  id: bigint({ mode: "number" }).primaryKey(),
  userId: bigint({ mode: "number" }).notNull(),
  public: boolean().notNull(),
  document: searchDocument().notNull(),
});
