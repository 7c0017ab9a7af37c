import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, smallint, text, unique } from "drizzle-orm/pg-core";
import { bytes, id, instant, reference } from "./columns.ts";
import { sessions } from "./grants.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/** A profile of a user's on another service, which the service itself confirmed. */
export const connections = pgTable(
  "connections",
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    service: text().notNull(),
    /** The profile's id over there. */
    externalId: text().notNull(),
    displayName: text().notNull(),
    postFavorite: boolean().notNull(),
    postPublish: boolean().notNull(),
    /** What the service lets us act by, encrypted: never in a reply. */
    tokensSealed: bytes().notNull(),
    updatedAt: instant().notNull().defaultNow(),
    /** Until then somebody posts there: one at a time, so that tokens that can be used once are. */
    leasedUntil: instant(),
  },
  (table) => [
    unique("connections_user_id_service_external_id_key").on(table.userId, table.service, table.externalId),
    index("connections_user_id_idx").on(table.userId, table.id),
  ],
);

/** What is to be posted, and what was: a track is told of once, however often it is liked or made public again. */
export const connectionPosts = pgTable(
  "connection_posts",
  {
    id: id(),
    connectionId: reference()
      .notNull()
      .references(() => connections.id, { onDelete: "cascade" }),
    trackId: reference()
      .notNull()
      .references(() => tracks.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    attempts: smallint().notNull().default(0),
    /** Null once it was posted, or given up. */
    dueAt: instant().defaultNow(),
  },
  (table) => [
    unique("connection_posts_connection_id_track_id_kind_key").on(
      table.connectionId,
      table.trackId,
      table.kind,
    ),
    index("connection_posts_track_id_idx").on(table.trackId),
    index("connection_posts_due_at_idx").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    check("connection_posts_kind", sql`${table.kind} in ('favorite', 'publish')`),
  ],
);

/** A round trip to a service that was begun. Single use: the beginner's browser takes it once, and may hear its end again. */
export const connectionAttempts = pgTable(
  "connection_attempts",
  {
    /** SHA-256 of the `state` that goes round, base64url. */
    stateHash: text().primaryKey(),
    /** For whom, and by which app: it ends when that session does. */
    sessionId: reference()
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    service: text().notNull(),
    redirectUri: text().notNull(),
    /** PKCE; empty once it was taken. */
    verifierSealed: bytes().notNull(),
    /** Null where nothing was asked. */
    postFavorite: boolean(),
    postPublish: boolean(),
    expiresAt: instant().notNull(),
    takenAt: instant(),
    /** Null until it is known. */
    succeeded: boolean(),
  },
  (table) => [
    index("connection_attempts_session_id_idx").on(table.sessionId, table.expiresAt),
    index("connection_attempts_expires_at_idx").on(table.expiresAt),
  ],
);
