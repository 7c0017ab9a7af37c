import { sql } from "drizzle-orm";
import { bigint, check, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { reference, transactionId } from "./columns.ts";

/**
 * What users show to everybody: their public tracks and playlists, and those of others that they repost. The rows of the
 * view `public_posts`, kept by triggers, in the order in which feeds have them; indexes that include are in the migration.
 * No foreign key: rows go with what they are of, and a key would lock the user whom someone else's change waits for.
 */
export const posts = pgTable(
  "posts",
  {
    /** Time-ordered: `published_id` of a track or playlist, `id` of a repost. */
    id: bigint({ mode: "number" }).notNull(),
    kind: text().notNull(),
    userId: reference().notNull(),
    subjectId: reference().notNull(),
    transactionId: transactionId().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subjectId, table.kind, table.userId] }),
    check("posts_kind", sql`${table.kind} in ('track', 'track-repost', 'playlist', 'playlist-repost')`),
  ],
);
