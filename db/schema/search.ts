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
    index("track_documents_user_id_idx").on(table.userId, table.id),
    index("track_documents_unlisted_idx").on(table.userId, table.id).where(sql`not ${table.listed}`),
    index("track_documents_bpm_idx").on(table.bpm, table.id),
    index("track_documents_duration_ms_idx").on(table.durationMs, table.id),
  ],
);
