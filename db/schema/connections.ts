import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, smallint, text, unique } from "drizzle-orm/pg-core";
import { bytes, id, instant, reference } from "./columns.ts";
import { sessions } from "./grants.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/** A user's profile on another service, confirmed by that service. */
export const connections = pgTable(
  "connections",
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    service: text().notNull(),
    /** The profile's id on that service. */
    externalId: text().notNull(),
    displayName: text().notNull(),
    postFavorite: boolean().notNull(),
    postPublish: boolean().notNull(),
    /** The service's tokens, encrypted. Never in a reply. */
    tokensSealed: bytes().notNull(),
    updatedAt: instant().notNull().defaultNow(),
    /** Lease of the one job that posts there. Single-use tokens must not be used twice. */
    leasedUntil: instant(),
  },
  (table) => [
    unique("connections_user_id_service_external_id_key").on(table.userId, table.service, table.externalId),
    index("connections_user_id_idx").on(table.userId, table.id),
  ],
);

/** Posts, pending and sent. A track is posted once, however often it becomes a favorite or is made public again. */
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
    kind: text({ enum: ["favorite", "publish"] }).notNull(),
    attempts: smallint().notNull().default(0),
    /** Null once posted or given up. */
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

/**
 * A pending authorization at a service. Single use: only the beginner's browser takes it, and may read the result
 * again.
 */
export const connectionAttempts = pgTable(
  "connection_attempts",
  {
    /** SHA-256 of the `state` parameter, base64url. */
    stateHash: text().primaryKey(),
    /** The session, and so the user and app, that began the attempt. The attempt ends with it. */
    sessionId: reference()
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    service: text().notNull(),
    redirectUri: text().notNull(),
    /** PKCE verifier; empty once taken. */
    verifierSealed: bytes().notNull(),
    /** Null if the request did not say. */
    postFavorite: boolean(),
    postPublish: boolean(),
    expiresAt: instant().notNull(),
    takenAt: instant(),
    /** Null until the outcome is known. */
    succeeded: boolean(),
  },
  (table) => [
    index("connection_attempts_session_id_idx").on(table.sessionId, table.expiresAt),
    index("connection_attempts_expires_at_idx").on(table.expiresAt),
  ],
);
