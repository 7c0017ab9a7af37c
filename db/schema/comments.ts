import { type SQLWrapper, sql } from "drizzle-orm";
import { bigint, check, index, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { id, instant, reference } from "./columns.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/** The id of a comment's thread, which is that of its first comment. */
export const threadOf = (of: { parentId: SQLWrapper; id: SQLWrapper }) =>
  sql<number>`coalesce(${of.parentId}, ${of.id})`;

export const comments = pgTable(
  "comments",
  {
    id: id(),
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** HTML that passed version `sanitizer_version` of our sanitizer. */
    body: text().notNull(),
    sanitizerVersion: smallint().notNull(),
    /** Position in the track. Null means the whole track. */
    timestampMs: bigint({ mode: "number" }),
    /** The first comment of the thread that this one replies in. No foreign key: replies outlive it. */
    parentId: reference(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    index("comments_track_id_idx").on(table.trackId, table.id),
    index("comments_user_id_idx").on(table.userId, table.id),
    index("comments_user_id_track_id_idx").on(table.userId, table.trackId),
    index("comments_track_id_thread_idx").on(
      table.trackId,
      sql`coalesce(${table.parentId}, ${table.id})`,
      table.id,
    ),
    check("comments_timestamp_ms", sql`${table.timestampMs} between 0 and 9007199254740991`),
  ],
);
