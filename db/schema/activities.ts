import { sql } from "drizzle-orm";
import { bigint, boolean, check, foreignKey, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { reference, transactionId } from "./columns.ts";
import { trackShares } from "./shares.ts";

/**
 * Events that a user is notified of, one row each. Triggers write and delete them together with the event. No
 * foreign keys: a favorite would lock its popular user, and a deleted track would check its favorites one by one.
 */
export const activities = pgTable(
  "activities",
  {
    /** Id of the comment, favorite or share. */
    id: bigint({ mode: "number" }).notNull(),
    userId: reference().notNull(),
    about: text().notNull(),
    actorId: reference().notNull(),
    commentId: reference(),
    /** Set if a track became the actor's favorite. */
    favoredTrackId: reference(),
    /** Set if the actor shared a track with the user. */
    sharedTrackId: reference(),
    /** True for a comment on the user's own track that also answers the user. */
    answers: boolean().notNull().default(false),
    transactionId: transactionId().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.about, table.id] }),
    foreignKey({
      name: "activities_share_fk",
      columns: [table.sharedTrackId, table.userId],
      foreignColumns: [trackShares.trackId, trackShares.userId],
    }).onDelete("cascade"),
    check("activities_about", sql`${table.about} in ('own', 'shared', 'conversation')`),
    check(
      "activities_event",
      sql`num_nonnulls(${table.commentId}, ${table.favoredTrackId}, ${table.sharedTrackId}) = 1`,
    ),
  ],
);
