import { sql } from "drizzle-orm";
import { bigint, boolean, check, foreignKey, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { reference, transactionId } from "./columns.ts";
import { comments } from "./comments.ts";
import { favorites } from "./favorites.ts";
import { trackShares } from "./shares.ts";

/**
 * What others did that a user hears of, one row an event, written by triggers with the event and gone with it: a comment or
 * a like of a track of theirs (`own`), a track shared with them (`shared`), a comment that answers one of theirs
 * (`conversation`). Nothing refers to the user's row: each like would hold that of whoever is popular. Indexes are in the
 * migration.
 */
export const activities = pgTable(
  "activities",
  {
    /** The event's own id: of the comment, the like or the share. */
    id: bigint({ mode: "number" }).notNull(),
    userId: reference().notNull(),
    about: text().notNull(),
    actorId: reference().notNull(),
    commentId: reference().references(() => comments.id, { onDelete: "cascade", onUpdate: "cascade" }),
    /** Liked by the actor. */
    favoredTrackId: reference(),
    /** Shared with the user. */
    sharedTrackId: reference(),
    /** A comment on a track of the user's that also answers them. */
    answers: boolean().notNull().default(false),
    transactionId: transactionId().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.about, table.id] }),
    foreignKey({
      name: "activities_favorite_fk",
      columns: [table.actorId, table.favoredTrackId],
      foreignColumns: [favorites.userId, favorites.trackId],
    }).onDelete("cascade"),
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
