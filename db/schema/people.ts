import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { counter, id, instant, reference, searchDocument } from "./columns.ts";
import { invitations } from "./invitations.ts";

/** The public profile. Credentials live in `accounts`, so that queries of users cannot leak them. */
export const users = pgTable(
  "users",
  {
    id: id(),
    permalink: text().notNull(),
    username: text().notNull(),
    /**
     * The username normalized by spelling and by appearance, so that names stay distinguishable. Null in rows made by
     * hand.
     */
    usernameKey: text(),
    lookAlikeKey: text(),
    plan: text({ enum: ["free", "artist", "artist-pro"] })
      .notNull()
      .default("free"),
    fullName: text(),
    country: text(),
    city: text(),
    description: text(),
    discogsName: text(),
    myspaceName: text(),
    website: text(),
    websiteTitle: text(),
    /** Version of the stored images; null means the default avatar. */
    avatarVersion: text(),
    /** GUID of the user's feed, which never changes, like that of a playlist. */
    podcastGuid: uuid(),
    playlistCount: counter(),
    privatePlaylistsCount: counter(),
    followersCount: counter(),
    followingsCount: counter(),
    publicFavoritesCount: counter(),
    repostsCount: counter(),
    /**
     * Comments on public tracks: those that everybody sees, and those that only the author and the track's owner
     * see.
     */
    commentsCount: counter(),
    quietCommentsCount: counter(),
    updatedAt: instant().notNull().defaultNow(),
    disabledAt: instant(),
    /** Words for the search. */
    document: searchDocument().generatedAlwaysAs(
      sql`user_document(username, full_name, permalink, city, description)`,
    ),
  },
  (table) => [
    uniqueIndex("users_permalink_key").on(sql`lower(${table.permalink})`),
    // PostgreSQL does not treat partial indexes as keys, so new rows that refer to a user do not wait for a rename.
    uniqueIndex("users_username_key").on(table.usernameKey).where(sql`${table.usernameKey} is not null`),
    uniqueIndex("users_look_alike_key").on(table.lookAlikeKey).where(sql`${table.lookAlikeKey} is not null`),
    index("users_names_idx")
      .using("gin", sql`ts_filter(${table.document}, '{a}')`)
      .with({ fastupdate: false })
      .where(sql`${table.disabledAt} is null`),
    check("users_plan", sql`${table.plan} in ('free', 'artist', 'artist-pro')`),
    check("users_id_is_exact_in_json", sql`${table.id} between 1 and 9007199254740991`),
  ],
);

/** Sign-in credentials of a user. `password_hash` is a PHC string (scrypt). */
export const accounts = pgTable(
  "accounts",
  {
    userId: reference()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    email: text().notNull(),
    passwordHash: text().notNull(),
    confirmedAt: instant(),
    /** Until the address is confirmed, the user posts nothing and gets no other mail: see `require_confirmed`. */
    awaitsConfirmation: boolean().notNull().default(false),
    /** Null for everybody who needed none. */
    invitationId: reference().references(() => invitations.id, { onDelete: "set null" }),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("accounts_email_key").on(sql`lower(${table.email})`),
    index("accounts_invitation_id_idx").on(table.invitationId).where(sql`${table.invitationId} is not null`),
    check(
      "accounts_awaits_confirmation",
      sql`not ${table.awaitsConfirmation} or ${table.confirmedAt} is null`,
    ),
  ],
);

/** A browser signed in to the site. Never authenticates the API. */
export const siteSessions = pgTable("site_sessions", {
  /** SHA-256 of the cookie's value, base64url. */
  hash: text().primaryKey(),
  userId: reference()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Such as `Firefox on Linux`, as it called itself at sign-in. Null if it gave no name that we know. */
  browser: text(),
  createdAt: instant().notNull().defaultNow(),
  expiresAt: instant().notNull(),
  revokedAt: instant(),
});

/**
 * Applications (OAuth clients). Secrets are SHA-256, base64url; null for a public client, RFC 6749 §2.1. The previous one
 * works until its overlap ends.
 */
export const apps = pgTable(
  "apps",
  {
    id: id(),
    clientId: text().notNull().unique("apps_client_id_key"),
    secretHash: text(),
    previousSecretHash: text(),
    previousSecretExpiresAt: instant(),
    /** Null for the site itself. */
    ownerId: reference().references(() => users.id, { onDelete: "cascade" }),
    name: text().notNull(),
    permalink: text().notNull().unique("apps_permalink_key"),
    externalUrl: text(),
    redirectUris: text().array().notNull(),
    /** True for our own pages, which need no consent. */
    firstParty: boolean().notNull().default(false),
    /** The app whose token registered this one and may manage it. Null if the site or an operator did. */
    registeredBy: reference().references((): AnyPgColumn => apps.id, { onDelete: "set null" }),
    disabledAt: instant(),
  },
  (table) => [
    index("apps_owner_id_idx").on(table.ownerId, table.id),
    index("apps_registered_by_idx").on(table.registeredBy),
    check("apps_permalink_is_no_id", sql`${table.permalink} !~ '^[0-9]+$'`),
  ],
);
