import { sql } from "drizzle-orm";
import { bigint, boolean, doublePrecision, index, pgTable, text } from "drizzle-orm/pg-core";
import { reference, searchDocument } from "./columns.ts";

/** Words and labels of tracks, for searches and filters. Triggers keep them. */
export const trackDocuments = pgTable(
  "track_documents",
  {
    id: reference().primaryKey(),
    userId: reference().notNull(),
    /** Whether everybody's lists show it. */
    listed: boolean().notNull(),
    sharing: text({ enum: ["public", "private"] }).notNull(),
    bpm: doublePrecision(),
    durationMs: bigint({ mode: "number" }),
    document: searchDocument().notNull(),
  },
  (table) => [
    index("track_documents_document_idx").using("gin", table.document).with({ fastupdate: false }),
    index("track_documents_names_idx")
      .using("gin", sql`ts_filter(${table.document}, '{a}')`)
      .with({ fastupdate: false })
      .where(sql`${table.listed}`),
    index("track_documents_user_id_idx").on(table.userId, table.id),
    index("track_documents_unlisted_idx").on(table.userId, table.id).where(sql`not ${table.listed}`),
    index("track_documents_bpm_idx").on(table.bpm, table.id),
    index("track_documents_duration_ms_idx").on(table.durationMs, table.id),
  ],
);

/**
 * Words of names, genres and tags that were public, to correct typing errors. The index holds each word's neighbours. A word
 * that left all documents stays until the sweep forgets it, so nothing may show one that no visible document has.
 */
export const knownWords = pgTable("known_words", { word: text().primaryKey() }, (table) => [
  index("known_words_neighbours_idx")
    .using("gin", sql`search_neighbours(${table.word})`)
    .with({ fastupdate: false }),
]);
