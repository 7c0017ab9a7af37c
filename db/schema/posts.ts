import { sql } from "drizzle-orm";
import { bigint, check, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { reference, transactionId } from "./columns.ts";

/**
 * Public tracks, playlists and reposts of users, copied by triggers from the view `public_posts`. No foreign keys: a
 * key would lock the user, for which another change waits.
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
