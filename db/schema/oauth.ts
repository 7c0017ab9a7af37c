import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, instant, reference } from "./columns.ts";
import { sessions } from "./grants.ts";
import { apps, siteSessions, users } from "./people.ts";

/** Single-use codes. The row stays after redemption, so that a replay can end its session. RFC 6749 §4.1.2 */
export const authorizationCodes = pgTable(
  "authorization_codes",
  {
    /** SHA-256 of the code, base64url. */
    hash: text().primaryKey(),
    appId: reference()
      .notNull()
      .references(() => apps.id, { onDelete: "cascade" }),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    siteSessionHash: text()
      .notNull()
      .references(() => siteSessions.hash, { onDelete: "cascade" }),
    /** Nonce of the consent form, which makes one code only. */
    nonce: text().notNull().unique("authorization_codes_nonce_key"),
    redirectUri: text().notNull(),
    /** S256; null for older requests without PKCE. */
    codeChallenge: text(),
    scope: text().notNull().default(""),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    redeemedAt: instant(),
    /** Uses before this time are a harmless race; later ones are replays. */
    raceEndsAt: instant(),
    /** Redemptions with a wrong verifier or redirect URI. */
    failures: integer().notNull().default(0),
    sessionId: reference().references(() => sessions.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("authorization_codes_app_id_idx").on(table.appId),
    index("authorization_codes_user_id_idx").on(table.userId),
    index("authorization_codes_expires_at_idx").on(table.expiresAt),
    index("authorization_codes_session_id_idx").on(table.sessionId),
  ],
);

/** Consent of a user to an app, until revoked. */
export const consents = pgTable(
  "consents",
  {
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    appId: reference()
      .notNull()
      .references(() => apps.id, { onDelete: "cascade" }),
    scope: text().notNull().default(""),
    grantedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.appId] }),
    index("consents_app_id_idx").on(table.appId),
  ],
);

/** Sliding log with one row for each token issued by client credentials. */
export const clientCredentialsGrants = pgTable(
  "client_credentials_grants",
  {
    id: id(),
    /** Null once the app was deleted: the address still had its tokens. */
    appId: reference().references(() => apps.id, { onDelete: "set null" }),
    /** The client's address; for IPv6 its /64. */
    address: text().notNull(),
    grantedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    index("client_credentials_grants_app_idx").on(table.appId, table.grantedAt),
    index("client_credentials_grants_address_idx").on(table.address, table.grantedAt),
  ],
);

/** Sliding log of attempts with a limit: sign-ins, client authentication, requested mails. */
export const failures = pgTable(
  "failures",
  {
    id: id(),
    /** Limit and subject, such as `client <client id> <address>`. */
    bucket: text().notNull(),
    failedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    index("failures_bucket_idx").on(table.bucket, table.failedAt),
    index("failures_failed_at_idx").on(table.failedAt),
  ],
);

/** Single-use links in mails, to confirm an address or reset a password. */
export const mailTokens = pgTable(
  "mail_tokens",
  {
    /** SHA-256 of the token, base64url. */
    hash: text().primaryKey(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text().notNull(),
    email: text().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [
    index("mail_tokens_user_id_idx").on(table.userId),
    check("mail_tokens_purpose", sql`${table.purpose} in ('confirm', 'reset', 'cancel')`),
  ],
);
