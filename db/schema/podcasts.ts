import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
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
    /** GUID that the owner wrote, which `podcast_guid` of the set is since. Null says nothing. */
    guid: uuid(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [check("podcasts_type", sql`${table.podcastType} in ('episodic', 'serial')`)],
);

export const EPISODE_TYPES = ["full", "trailer", "bonus"] as const;

/** Fields of a track as an episode, which feeds and its page show. */
export const episodes = pgTable(
  "episodes",
  {
    trackId: reference()
      .primaryKey()
      .references(() => tracks.id, { onDelete: "cascade" }),
    /** Null: the value of the podcast. */
    explicit: boolean(),
    season: smallint(),
    number: integer(),
    /** Null: `full`. */
    episodeType: text({ enum: EPISODE_TYPES }),
    /** A file elsewhere. A transcript that is kept here goes before it. */
    transcriptUrl: text(),
    /** GUID of the episode at its former host, which its feed keeps for ever. Null: the one that its feed gives it. */
    guid: text(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [check("episodes_type", sql`${table.episodeType} in ('full', 'trailer', 'bonus')`)],
);

/** Words of a track that are said from one moment to another. */
export interface Cue {
  /** Milliseconds. */
  start: number;
  end: number;
  /** Plain text, perhaps of several lines. */
  text: string;
  speaker?: string | undefined;
}

/** The words of tracks. A table of its own, because they may take a megabyte. */
export const transcripts = pgTable("transcripts", {
  trackId: reference()
    .primaryKey()
    .references(() => tracks.id, { onDelete: "cascade" }),
  /** BCP 47. Null: the language of the podcast. */
  language: text(),
  cues: jsonb().$type<Cue[]>().notNull(),
  updatedAt: instant().notNull().defaultNow(),
});

/** A part of a track that has a title. */
export interface Chapter {
  /** Milliseconds. */
  start: number;
  /** Null: the start of the next one. */
  end?: number | undefined;
  title?: string | undefined;
  /** Addresses. */
  url?: string | undefined;
  img?: string | undefined;
  /** Version of a picture that is kept here. It goes before `img`. */
  picture?: string | undefined;
  /** False if it only changes the picture. */
  toc?: boolean | undefined;
}

/** Uploaded ones go before times in the description, and those go before the ones of the audio file. */
export const CHAPTER_SOURCES = ["uploaded", "file"] as const;

export const chapters = pgTable(
  "chapters",
  {
    trackId: reference()
      .primaryKey()
      .references(() => tracks.id, { onDelete: "cascade" }),
    chapters: jsonb().$type<Chapter[]>().notNull(),
    source: text({ enum: CHAPTER_SOURCES }).notNull().default("uploaded"),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [check("chapters_source", sql`${table.source} in ('uploaded', 'file')`)],
);

/** Pictures of a track's chapters. Each lasts as long as one of these chapters names its version. */
export const chapterPictures = pgTable(
  "chapter_pictures",
  {
    version: text().primaryKey(),
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
  },
  (table) => [index("chapter_pictures_track_id_idx").on(table.trackId)],
);
