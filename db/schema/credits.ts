import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { StoredArtist } from "./artists.ts";
import { newId, reference } from "./columns.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

export const CREDIT_STATES = ["pending", "accepted", "declined"] as const;
export type CreditState = (typeof CREDIT_STATES)[number];

/**
 * Users whom the owners of tracks name as artists, and their answers. A trigger keeps the rows by `tracks.artists`. A declined
 * row stays when the name goes, so that nobody is asked twice.
 */
export const credits = pgTable(
  "credits",
  {
    /** Orders the user's news and the tracks on their profile. */
    id: newId(),
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    state: text({ enum: CREDIT_STATES }).notNull().default("pending"),
    /** Names and roles on the track. Null when the track names the user no more. */
    roles: jsonb().$type<Pick<StoredArtist, "name" | "role">[]>(),
  },
  (table) => [
    primaryKey({ columns: [table.trackId, table.userId] }),
    index("credits_user_id_idx").on(table.userId, table.id),
    check("credits_state", sql`${table.state} in ('pending', 'accepted', 'declined')`),
  ],
);
