import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  real,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { StoredArtist } from "./artists.ts";
import { bytes, counter, id, instant, newId, reference } from "./columns.ts";
import { apps, users } from "./people.ts";

export const tracks = pgTable(
  "tracks",
  {
    id: id(),
    /** Orders feeds. The first publication of a private track assigns a new one. */
    publishedId: newId(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    appId: reference().references(() => apps.id, { onDelete: "set null" }),
    updatedAt: instant().notNull().defaultNow(),

    title: text().notNull(),
    permalink: text().notNull(),
    /** Whether the owner chose the permalink. Otherwise it follows the title until the first publication. */
    permalinkChosen: boolean().notNull().default(false),
    /** Null means the owner's username. */
    artist: text(),
    /** HTML that passed version `sanitizer_version` of our sanitizer. */
    description: text(),
    sanitizerVersion: smallint(),
    genre: text(),
    tagList: text().notNull().default(""),
    trackType: text(),
    license: text().notNull().default("all-rights-reserved"),
    labelId: reference().references(() => users.id, { onDelete: "set null" }),
    labelName: text(),
    release: text(),
    releaseDay: smallint(),
    releaseMonth: smallint(),
    releaseYear: smallint(),
    isrc: text(),
    /** Two decimals. Double precision prints and compares them exactly as sent. */
    bpm: doublePrecision(),
    keySignature: text(),
    purchaseUrl: text(),
    purchaseTitle: text(),
    videoUrl: text(),
    artworkVersion: text(),
    /** Three colours of the picture in hexadecimal digits: ground, wave and strongest contrast. Null for pictures of earlier releases. */
    artworkColors: text(),
    /** Credited artists in their order, beside `artist`; null without any. */
    artists: jsonb().$type<StoredArtist[]>(),

    /** Set while an operator keeps the track down. `takedowns` has the reason. */
    takenDownAt: instant(),
    sharing: text({ enum: ["public", "private"] })
      .notNull()
      .default("public"),
    /** Set when the track becomes private: whether it has been public before. */
    wasPublic: boolean().notNull().default(false),
    /** Time at which the private track becomes public. Publishing it clears the time. */
    publishAt: instant(),
    embeddableBy: text({ enum: ["all", "me", "none"] })
      .notNull()
      .default("all"),
    streamable: boolean().notNull().default(true),
    downloadable: boolean().notNull().default(false),
    commentable: boolean().notNull().default(true),
    /** False hides comments or counts from everyone but the owner. */
    revealComments: boolean().notNull().default(true),
    revealStats: boolean().notNull().default(true),
    paywall: text({ enum: ["preview", "blocked"] }),
    /** ISO 3166-1 alpha-2; null means everywhere. */
    availableCountryCodes: text().array(),
    /** SHA-256 of the secret token, for comparison. The encrypted copy is for the owner. */
    secretHash: bytes().notNull(),
    secretSealed: bytes().notNull(),

    state: text({ enum: ["processing", "failed", "finished"] })
      .notNull()
      .default("processing"),
    /** Key of the original in the uploads bucket. */
    originalKey: text().notNull(),
    originalFilename: text().notNull(),
    originalFormat: text(),
    originalContentSize: bigint({ mode: "number" }).notNull(),
    /** Time from which the original is no longer kept, while the track stays. */
    originalDeletedAt: instant(),
    durationMs: bigint({ mode: "number" }),
    /** Prefix of the encoded files in the media bucket, set with `finished`. */
    mediaPrefix: text(),
    /** Report of the transcoder: frames, sample rate, renditions, loudness. */
    media: jsonb(),

    commentCount: counter(),
    downloadCount: counter(),
    playbackCount: counter(),
    favoritingsCount: counter(),
    repostsCount: counter(),
  },
  (table) => [
    uniqueIndex("tracks_user_id_permalink_key").on(table.userId, table.permalink),
    index("tracks_user_id_id_idx").on(table.userId, table.id),
    index("tracks_user_id_published_id_idx").on(table.userId, table.publishedId),
    index("tracks_user_id_quiet_idx").on(table.userId).where(sql`not ${table.revealComments}`),
    index("tracks_app_id_idx").on(table.appId).where(sql`${table.appId} is not null`),
    index("tracks_user_id_public_idx")
      .on(table.userId, table.id)
      .where(sql`${table.sharing} = 'public' and ${table.state} <> 'failed'`),
    index("tracks_publish_at_idx")
      .on(table.publishAt, table.userId)
      .where(sql`${table.publishAt} is not null and ${table.state} <> 'failed'`),
    index("tracks_idle_original_idx")
      .on(table.id)
      .where(
        sql`${table.state} = 'finished' and not ${table.downloadable} and ${table.originalDeletedAt} is null`,
      ),
    check("tracks_scheduled_is_private", sql`${table.publishAt} is null or ${table.sharing} = 'private'`),
    check("tracks_sharing", sql`${table.sharing} in ('public', 'private')`),
    check("tracks_taken_down_is_private", sql`${table.takenDownAt} is null or ${table.sharing} = 'private'`),
    check("tracks_embeddable_by", sql`${table.embeddableBy} in ('all', 'me', 'none')`),
    check("tracks_state", sql`${table.state} in ('processing', 'failed', 'finished')`),
    check("tracks_paywall", sql`${table.paywall} in ('preview', 'blocked')`),
    check(
      "tracks_finished_has_media",
      sql`${table.state} <> 'finished' or (${table.mediaPrefix} is not null and ${table.media} is not null and ${table.durationMs} > 0)`,
    ),
  ],
);

/** State of an encode. This row is authoritative; a queue message only points at it. */
export const encodingJobs = pgTable(
  "encoding_jobs",
  {
    trackId: reference()
      .primaryKey()
      .references(() => tracks.id, { onDelete: "cascade" }),
    /** Incremented by each retry of the owner. Messages of an older generation are ignored. */
    generation: integer().notNull().default(1),
    state: text({ enum: ["queued", "leased", "done", "failed"] })
      .notNull()
      .default("queued"),
    attempt: integer().notNull().default(0),
    leaseToken: uuid(),
    leaseUntil: instant(),
    /** The instance that holds or held the lease. */
    transcoder: text(),
    /** Orders waiting jobs: see `job_turn`. */
    turn: instant().notNull().defaultNow(),
    nextRunAt: instant().notNull().defaultNow(),
    dispatchedAt: instant(),
    progress: real().notNull().default(0),
    /** Segments that the present attempt has stored, and their rate in Hz. They play before the track is finished. */
    segmentsReady: integer().notNull().default(0),
    sampleRate: integer(),
    failureReason: text(),
    failureRetryable: boolean(),
    failureDetail: text(),
    /** The trace of the request that accepted the track, which its statement's comment names. */
    traceparent: text().default(
      sql`substring(current_query() from 'traceparent=''(00-[0-9a-f]{32}-[0-9a-f]{16}-01)''')`,
    ),
    createdAt: instant().notNull().defaultNow(),
    startedAt: instant(),
    finishedAt: instant(),
  },
  (table) => [
    index("encoding_jobs_queued_idx").on(table.turn).where(sql`${table.state} = 'queued'`),
    index("encoding_jobs_leased_idx").on(table.transcoder).where(sql`${table.state} = 'leased'`),
    index("encoding_jobs_failed_idx").on(table.trackId).where(sql`${table.state} = 'failed'`),
    check("encoding_jobs_state", sql`${table.state} in ('queued', 'leased', 'done', 'failed')`),
  ],
);

/** Instances of the pool, as far as known. An instance that never answered has no row. */
export const transcoders = pgTable("transcoders", {
  /** `pool-0`, `pool-1` and so on. */
  name: text().primaryKey(),
  /** Number of jobs that the instance runs at once. */
  slots: smallint().notNull(),
  /** Time of the last answer or report. An instance seen lately is warm. Null once it stopped. */
  seenAt: instant(),
  /** No job is offered before this time: the instance is starting, was busy, or did not answer. */
  restsUntil: instant(),
  isStarting: boolean().notNull().default(false),
});
