import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { ask, type Limited, type MailToken, type SiteUser } from "./accounts.ts";

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

export interface Settings {
  user: SiteUser;
  profile: Profile;
  avatar_version: string | null;
  apps: ConnectedApp[];
  /** An address that was not confirmed yet. */
  pending_email: string | null;
}

export const findSettings = async (db: Database, sessionHash: string): Promise<Settings | undefined> =>
  (await ask<Settings | null>(db, sql`site_settings_v1(${sessionHash})`)) ?? undefined;

/** False where nobody is signed in, as in all that follows. */
export const updateProfile = (db: Database, sessionHash: string, profile: Profile) =>
  ask<boolean>(db, sql`update_profile_v1(${sessionHash}, ${JSON.stringify(profile)})`);

export type SignedOut = { outcome: "signed_out" };

/** Counts the attempt, then tells what the password that a change asks for is verified against. */
export const beginChange = (db: Database, sessionHash: string, address: string) =>
  ask<SignedOut | Limited | { outcome: "open"; settings: Settings; password_hash: string; attempt: string }>(
    db,
    sql`begin_change_v1(${sessionHash}, ${address})`,
  );

/** A change by someone who knew the password. */
export interface Change {
  sessionHash: string;
  /** What the password fitted. */
  seenHash: string;
  attempt: string;
}

/** `email` is where the link goes: null where the address is another account's. */
export const changeEmail = (db: Database, change: Change, email: string, token: MailToken) =>
  ask<SignedOut | Limited | { outcome: "sent"; email: string | null }>(
    db,
    sql`change_email_v1(${change.sessionHash}, ${change.seenHash}, ${change.attempt}, ${email}, ${token.hash}, ${token.ttlS})`,
  );

export const changePassword = (db: Database, change: Change, passwordHash: string) =>
  ask<boolean>(
    db,
    sql`change_password_v1(${change.sessionHash}, ${change.seenHash}, ${change.attempt}, ${passwordHash})`,
  );

/** All who like one of their tracks count it no longer. */
export const deleteAccount = (db: Database, change: Change) =>
  db.callAtLength<boolean>("delete_account_v1", [change.sessionHash, change.seenHash, change.attempt]);

export const revokeApp = (db: Database, sessionHash: string, app: number) =>
  ask<boolean>(db, sql`revoke_app_v1(${sessionHash}, ${app})`);

export const exportAccount = async (db: Database, sessionHash: string): Promise<object | undefined> =>
  (await ask<object | null>(
    db,
    sql`export_account_v1(${sessionHash})::jsonb || exported_connections_v1(${sessionHash})
      || exported_plays_v1(${sessionHash}) || export_webhooks_v1(${sessionHash})`,
  )) ?? undefined;

export interface Erased {
  tracks: number;
  users: number;
  /** As many rows went as were asked for: there may be more. */
  more: boolean;
}

/** So many rows of those who left, theirs and what others set on them. Objects become garbage. */
export const eraseSome = (db: Database, rows: number) => ask<Erased>(db, sql`erase_some_v1(${rows})`);

export const forgetExpired = (db: Database) => db.execute(sql`select forget_expired_v1()`);
