import { sql } from "drizzle-orm";
import { boolean, check, integer, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instant, reference } from "./columns.ts";
import { playlists } from "./playlists.ts";
import { tracks } from "./tracks.ts";

/** Fields that podcast directories ask for, of a set that its owner offers as a podcast. */
export const podcasts = pgTable(
  "podcasts",
  {
    playlistId: reference()
      .primaryKey()
      .references(() => playlists.id, { onDelete: "cascade" }),
    /** Null means the owner's username. */
    author: text(),
    /** Shown to everybody in the feed. Directories send their questions and confirmations there. */
    ownerName: text(),
    ownerEmail: text(),
    /** One of Apple's, such as `Arts` or `Arts > Design`. */
    category: text().notNull(),
    /** BCP 47. */
    language: text().notNull(),
    explicit: boolean().notNull(),
    podcastType: text({ enum: ["episodic", "serial"] }).notNull(),
    /** Asks other hosts not to import the podcast. Feeds say so only with the owner's e-mail address. */
    locked: boolean().notNull().default(true),
    /** The feed's address at another host. Podcast programs are redirected there. */
    newFeedUrl: text(),
    /** GUID of the podcast at its former host. Null: the GUID that its feed got here. */
    guid: uuid(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [check("podcasts_type", sql`${table.podcastType} in ('episodic', 'serial')`)],
);

/** Fields of a track that only feeds show. */
export const episodes = pgTable("episodes", {
  trackId: reference()
    .primaryKey()
    .references(() => tracks.id, { onDelete: "cascade" }),
  /** Null: the value of the podcast. */
  explicit: boolean(),
  season: smallint(),
  number: integer(),
  transcriptUrl: text(),
  updatedAt: instant().notNull().defaultNow(),
});
