import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, id, instant, reference } from "./columns.ts";
import { users } from "./people.ts";
import { playlists } from "./playlists.ts";
import { tracks } from "./tracks.ts";

/**
 * Cases of what operators removed. A row holds what restoring needs, and stays afterwards with the answers of the owner. It goes
 * with its track, its set or its owner.
 */
export const removals = pgTable(
  "removals",
  {
    id: id(),
    kind: text({ enum: ["track", "playlist", "comment", "picture"] }).notNull(),
    /** The owner, for a comment its author. */
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The track, or that of the picture or comment. */
    trackId: reference().references(() => tracks.id, { onDelete: "cascade" }),
    /** The set, or that of the picture. A picture of neither is the owner's avatar. */
    playlistId: reference().references(() => playlists.id, { onDelete: "cascade" }),
    commentId: reference(),
    /** The row of a comment, which leaves its table, so that nothing counts or shows it, and the transaction of its activities. Null once restored. */
    comment: jsonb(),
    /** Null once restored. */
    pictureVersion: text(),
    pictureColors: text(),
    /** The sharing of a set before, which applies again. */
    sharing: text({ enum: ["public", "private"] }),
    /** The secret of a set before. Another, which nobody knows, stands in its place meanwhile. */
    secretHash: bytes(),
    /** Its name at that time. */
    name: text().notNull(),
    /** Shown to the owner. */
    reason: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    restoredAt: instant(),
  },
  (table) => [
    index("removals_user_id_idx").on(table.userId, table.id),
    index("removals_track_id_idx").on(table.trackId),
    index("removals_playlist_id_idx").on(table.playlistId),
    index("removals_open_idx").on(table.id).where(sql`${table.restoredAt} is null`),
    uniqueIndex("removals_comment_id_key")
      .on(table.commentId)
      .where(sql`${table.kind} = 'comment' and ${table.restoredAt} is null`),
    check("removals_kind", sql`${table.kind} in ('track', 'playlist', 'comment', 'picture')`),
    check("removals_sharing", sql`${table.sharing} in ('public', 'private')`),
  ],
);

/** Answers of owners to removals, as 17 U.S.C. § 512(g)(3) words them. Operators decide; nothing is restored by itself. */
export const counterNotices = pgTable(
  "counter_notices",
  {
    id: id(),
    removalId: reference()
      .notNull()
      .references(() => removals.id, { onDelete: "cascade" }),
    /** Why it was removed by mistake. */
    statement: text().notNull(),
    /** The full name, which signs. */
    name: text().notNull(),
    /** Postal address and telephone number. */
    contact: text().notNull(),
    decision: text({ enum: ["restored", "upheld"] }),
    /** An operator's words, which the owner reads. */
    decisionReason: text(),
    decidedAt: instant(),
  },
  (table) => [
    index("counter_notices_removal_id_idx").on(table.removalId),
    uniqueIndex("counter_notices_open_key").on(table.removalId).where(sql`${table.decidedAt} is null`),
    check("counter_notices_decision", sql`${table.decision} in ('restored', 'upheld')`),
    check("counter_notices_decided", sql`(${table.decision} is null) = (${table.decidedAt} is null)`),
  ],
);
