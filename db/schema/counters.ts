import { sql } from "drizzle-orm";
import { bigint, check, integer, pgTable, text } from "drizzle-orm/pg-core";
import { reference } from "./columns.ts";

/**
 * What counters of busy rows are still owed: requests append, the sweep adds up, reads add what is pending. No foreign
 * key: it would lock the very row that this spares, and what is owed to a deleted one is dropped.
 */
export const counterDeltas = pgTable(
  "counter_deltas",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text().notNull(),
    subjectId: reference().notNull(),
    /** A column of the subject's table. */
    counter: text().notNull(),
    delta: integer().notNull(),
  },
  (table) => [
    check(
      "counter_deltas_counter",
      sql`(${table.kind} = 'track' and ${table.counter} in ('comment_count', 'download_count', 'playback_count', 'favoritings_count', 'reposts_count')) or (${table.kind} = 'playlist' and ${table.counter} in ('likes_count', 'reposts_count')) or (${table.kind} = 'user' and ${table.counter} in ('playlist_count', 'private_playlists_count', 'followers_count', 'followings_count', 'public_favorites_count'))`,
    ),
  ],
);
