import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { id, instant, reference } from "./columns.ts";
import { apps, users } from "./people.ts";
import { playlists } from "./playlists.ts";

/** A feed's facts about its podcast, in our words. Null where it says nothing that we could store. */
export interface Show {
  title: string;
  description: string | null;
  author: string | null;
  owner_name: string | null;
  owner_email: string | null;
  category: string;
  language: string;
  explicit: boolean;
  podcast_type: "episodic" | "serial";
  guid: string | null;
  image_url: string | null;
  locked: boolean;
}

/** A feed's facts about an episode. */
export interface Item {
  notes: string | null;
  audio_url: string | null;
  audio_type: string | null;
  season: number | null;
  number: number | null;
  explicit: boolean | null;
  episode_type: "full" | "trailer" | "bonus" | null;
  image_url: string | null;
  chapters_url: string | null;
  transcript_url: string | null;
}

/** A podcast that moves in from another host. Nothing is fetched before its owner has proven to be its owner. */
export const podcastImports = pgTable(
  "podcast_imports",
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    appId: reference().references(() => apps.id, { onDelete: "set null" }),
    feedUrl: text().notNull(),
    state: text({ enum: ["preview", "running", "done", "cancelled"] })
      .notNull()
      .default("preview"),
    title: text().notNull(),
    show: jsonb().$type<Show>().notNull(),
    /** The address that gets the code. Null if the feed names nobody. */
    ownerEmail: text(),
    /** SHA-256 of the mailed code. */
    codeHash: text(),
    /** Wrong codes. */
    tries: smallint().notNull().default(0),
    playlistId: reference().references(() => playlists.id, { onDelete: "set null" }),
    /** No file is fetched earlier: the other server asked for a rest. */
    nextRunAt: instant().notNull().defaultNow(),
    startedAt: instant(),
    endedAt: instant(),
  },
  (table) => [
    index("podcast_imports_user_id_idx").on(table.userId, table.id),
    index("podcast_imports_playlist_id_idx").on(table.playlistId).where(sql`${table.playlistId} is not null`),
    index("podcast_imports_app_id_idx").on(table.appId).where(sql`${table.appId} is not null`),
    uniqueIndex("podcast_imports_running_key").on(table.userId).where(sql`${table.state} = 'running'`),
    index("podcast_imports_running_idx").on(table.nextRunAt).where(sql`${table.state} = 'running'`),
    check("podcast_imports_state", sql`${table.state} in ('preview', 'running', 'done', 'cancelled')`),
  ],
);

/** An item of the feed. Its guid makes it one, however often the feed is read. */
export const podcastImportEpisodes = pgTable(
  "podcast_import_episodes",
  {
    id: id(),
    importId: reference()
      .notNull()
      .references(() => podcastImports.id, { onDelete: "cascade" }),
    /** From the newest, which is fetched first. */
    position: integer().notNull(),
    guid: text().notNull(),
    title: text().notNull(),
    publishedAt: instant(),
    item: jsonb().$type<Item>().notNull(),
    /** Server of the audio. It is asked for one file at a time. */
    host: text(),
    state: text({ enum: ["waiting", "fetching", "imported", "failed", "left_out", "cancelled"] })
      .notNull()
      .default("waiting"),
    reason: text(),
    /** Bytes: as announced by the feed, then by the server, then as stored. */
    size: bigint({ mode: "number" }),
    fetched: bigint({ mode: "number" }).notNull().default(0),
    /** Identifies the server's file, so that parts of two files are never joined. */
    validator: text(),
    objectKey: text(),
    storageUploadId: text(),
    attempts: smallint().notNull().default(0),
    nextRunAt: instant().notNull().defaultNow(),
    leaseToken: uuid(),
    leaseUntil: instant(),
    /** Set once. No foreign key, so that an episode whose track was deleted is not taken for a new one. */
    trackId: reference(),
  },
  (table) => [
    uniqueIndex("podcast_import_episodes_guid_key").on(table.importId, table.guid),
    index("podcast_import_episodes_position_idx").on(table.importId, table.position),
    index("podcast_import_episodes_fetching_idx").on(table.host).where(sql`${table.state} = 'fetching'`),
    index("podcast_import_episodes_track_id_idx").on(table.trackId).where(sql`${table.trackId} is not null`),
    check(
      "podcast_import_episodes_state",
      sql`${table.state} in ('waiting', 'fetching', 'imported', 'failed', 'left_out', 'cancelled')`,
    ),
  ],
);
