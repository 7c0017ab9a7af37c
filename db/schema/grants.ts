import { sql } from "drizzle-orm";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant, reference } from "./columns.ts";
import { apps, siteSessions, users } from "./people.ts";

/** An API grant: always an app, and a user unless by client credentials. Revoking it ends all its tokens. */
export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    appId: reference()
      .notNull()
      .references(() => apps.id, { onDelete: "cascade" }),
    userId: reference().references(() => users.id, { onDelete: "cascade" }),
    /** The sign-in that a session of the site belongs to, and ends with. */
    siteSessionHash: text().references(() => siteSessions.hash, { onDelete: "cascade" }),
    scope: text().notNull().default(""),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
    /** Written after a reply, at most once a minute. Determines `online`. */
    lastUsedAt: instant(),
    /** Given by whoever made a personal token; null for other sessions. */
    name: text(),
  },
  (table) => [
    index("sessions_user_id_idx").on(table.userId, table.lastUsedAt).where(sql`${table.userId} is not null`),
    index("sessions_app_id_idx").on(table.appId),
    index("sessions_site_session_hash_idx")
      .on(table.siteSessionHash)
      .where(sql`${table.siteSessionHash} is not null`),
    index("sessions_expires_at_idx").on(table.expiresAt),
    index("sessions_revoked_at_idx").on(table.revokedAt).where(sql`${table.revokedAt} is not null`),
  ],
);

/** Single-use tokens, chained within their session. Each names the token it was exchanged for. */
export const refreshTokens = pgTable(
  "refresh_tokens",
  {
    /** SHA-256 of the token, base64url. */
    hash: text().primaryKey(),
    sessionId: reference()
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    parentHash: text(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    consumedAt: instant(),
    /** Uses before this time are a harmless race; later ones are replays. */
    raceEndsAt: instant(),
  },
  (table) => [index("refresh_tokens_session_id_idx").on(table.sessionId)],
);
