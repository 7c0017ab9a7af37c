import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, counter, id, instant, newId, reference } from "./columns.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/**
 * Playlists, called sets on the site. Facts about their tracks are computed on read, because they depend on the reader.
 */
export const playlists = pgTable(
  "playlists",
  {
    id: id(),
    /** Orders feeds. The first publication of a private playlist assigns a new one. */
    publishedId: newId(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Advances also when tracks are added or removed. */
    updatedAt: instant().notNull().defaultNow(),

    title: text().notNull(),
    permalink: text().notNull(),
    /** The same as of tracks. */
    permalinkChosen: boolean().notNull().default(false),
    /** HTML that passed version `sanitizer_version` of our sanitizer. */
    description: text(),
    sanitizerVersion: smallint(),
    genre: text(),
    tagList: text().notNull().default(""),
    playlistType: text(),
    license: text().notNull().default("all-rights-reserved"),
    labelId: reference().references(() => users.id, { onDelete: "set null" }),
    labelName: text(),
    release: text(),
    releaseDay: smallint(),
    releaseMonth: smallint(),
    releaseYear: smallint(),
    ean: text(),
    purchaseUrl: text(),
    purchaseTitle: text(),
    artworkVersion: text(),
    /** The same as of tracks. */
    artworkColors: text(),
    /** The one GUID of the feed, made here or brought along. It stays when an address changes. Null until it is first shown. */
    podcastGuid: uuid(),

    sharing: text({ enum: ["public", "private"] })
      .notNull()
      .default("public"),
    /** Set when the playlist becomes private: whether it has been public before. */
    wasPublic: boolean().notNull().default(false),
    /** Time at which the private playlist becomes public. Publishing it clears the time. */
    publishAt: instant(),
    /** Set while an operator keeps the set down. `removals` has the reason. */
    takenDownAt: instant(),
    embeddableBy: text({ enum: ["all", "me", "none"] })
      .notNull()
      .default("all"),
    /** SHA-256 of the secret token, for comparison. The encrypted copy is for the owner. */
    secretHash: bytes().notNull(),
    secretSealed: bytes().notNull(),

    favoritingsCount: counter(),
    repostsCount: counter(),
  },
  (table) => [
    uniqueIndex("playlists_user_id_permalink_key").on(table.userId, table.permalink),
    uniqueIndex("playlists_secret_hash_key").on(table.secretHash),
    index("playlists_user_id_id_idx").on(table.userId, table.id),
    index("playlists_user_id_published_id_idx").on(table.userId, table.publishedId),
    index("playlists_public_idx").on(table.id).where(sql`${table.sharing} = 'public'`),
    index("playlists_publish_at_idx")
      .on(table.publishAt, table.userId)
      .where(sql`${table.publishAt} is not null`),
    check("playlists_scheduled_is_private", sql`${table.publishAt} is null or ${table.sharing} = 'private'`),
    check(
      "playlists_taken_down_is_private",
      sql`${table.takenDownAt} is null or ${table.sharing} = 'private'`,
    ),
    check("playlists_sharing", sql`${table.sharing} in ('public', 'private')`),
    check("playlists_embeddable_by", sql`${table.embeddableBy} in ('all', 'me', 'none')`),
  ],
);

/** Tracks of a playlist, each once. Positions may have gaps. */
export const playlistTracks = pgTable(
  "playlist_tracks",
  {
    playlistId: reference()
      .notNull()
      .references(() => playlists.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.playlistId, table.position] }),
    uniqueIndex("playlist_tracks_track_id_key").on(table.trackId, table.playlistId),
  ],
);
