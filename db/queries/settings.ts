import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { ask, type Limited, type MailToken, type SiteUser, type UsernameKeys } from "./accounts.ts";

/** What signed-in people see and change of themselves. */

export interface Profile {
  username: string;
  full_name: string | null;
  city: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  description: string | null;
  website: string | null;
  website_title: string | null;
  discogs_name: string | null;
  myspace_name: string | null;
}

export interface ConnectedApp {
  id: number;
  name: string;
  external_url: string | null;
  owner: string;
  since: string;
  last_used_at: string | null;
  sessions: number;
}

/** Of an app that tells somebody of what happens to the user's things. */
export interface AppWebhook {
  id: number;
  app: string;
  host: string;
  events: string[];
  enabled: boolean;
  /** Null where it is enabled, or the app switched it off. */
  disabled_reason: "failing" | "gone" | "access_ended" | null;
  created_at: string;
}

export interface Settings {
  user: SiteUser;
  profile: Profile;
  avatar_version: string | null;
  apps: ConnectedApp[];
  webhooks: AppWebhook[];
  /** An address that was not confirmed yet. */
  pending_email: string | null;
}

export const findSettings = async (db: Database, sessionHash: string): Promise<Settings | undefined> =>
  (await ask<Settings | null>(db, sql`site_settings(${sessionHash})`)) ?? undefined;

export const updateProfile = (db: Database, sessionHash: string, profile: Profile, keys: UsernameKeys) =>
  ask<"saved" | "signed_out" | "username_taken">(
    db,
    sql`update_profile(${sessionHash}, ${JSON.stringify(profile)}, ${JSON.stringify(keys)})`,
  );

export type SignedOut = { outcome: "signed_out" };

/** Counts the attempt, then tells what the password that a change asks for is verified against. */
export const beginChange = (db: Database, sessionHash: string, address: string) =>
  ask<SignedOut | Limited | { outcome: "open"; settings: Settings; password_hash: string; attempt: string }>(
    db,
    sql`begin_change(${sessionHash}, ${address})`,
  );

/** A change by someone who knew the password. */
export interface Change {
  sessionHash: string;
  /** What the password fitted. */
  seenHash: string;
  attempt: string;
}

/**
 * `email` is where the link goes: null where the address is another account's. `present` is the address until now, which
 * gets the link that stops the change.
 */
export const changeEmail = (
  db: Database,
  change: Change,
  email: string,
  token: MailToken,
  cancelHash: string,
) =>
  ask<
    | SignedOut
    | Limited
    | { outcome: "unconfirmed" }
    | { outcome: "sent"; email: string | null; present: string }
  >(
    db,
    sql`change_email(${change.sessionHash}, ${change.seenHash}, ${change.attempt}, ${email}, ${token.hash},
      ${cancelHash}, ${token.ttlS})`,
  );

/** Stops a change of address that waits. */
export const withdrawEmailChange = (db: Database, sessionHash: string) =>
  ask<boolean>(db, sql`withdraw_email_change(${sessionHash})`);

export const changePassword = (db: Database, change: Change, passwordHash: string) =>
  ask<boolean>(
    db,
    sql`change_password(${change.sessionHash}, ${change.seenHash}, ${change.attempt}, ${passwordHash})`,
  );

/** All who like one of their tracks count it no longer. */
export const deleteAccount = (db: Database, change: Change) =>
  db.callAtLength<boolean>("delete_account", [change.sessionHash, change.seenHash, change.attempt]);

export const revokeApp = (db: Database, sessionHash: string, app: number) =>
  ask<boolean>(db, sql`revoke_app(${sessionHash}, ${app})`);

/** With its log, whichever app made it. */
export const endWebhook = (db: Database, sessionHash: string, webhook: number) =>
  ask<boolean>(db, sql`end_webhook(${sessionHash}, ${webhook})`);

export const exportAccount = async (db: Database, sessionHash: string): Promise<object | undefined> =>
  (await ask<object | null>(
    db,
    sql`export_account(${sessionHash})::jsonb || exported_connections(${sessionHash})
      || exported_plays(${sessionHash}) || export_webhooks(${sessionHash})`,
  )) ?? undefined;

export interface Erased {
  tracks: number;
  users: number;
  /** As many rows went as were asked for: there may be more. */
  more: boolean;
}

/** So many rows of those who left, theirs and what others set on them. Objects become garbage. */
export const eraseSome = (db: Database, rows: number) => ask<Erased>(db, sql`erase_some(${rows})`);

export const forgetExpired = (db: Database) => db.execute(sql`select forget_expired()`);
