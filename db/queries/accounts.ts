import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import type { Sending } from "../persistence.ts";
import { type BudgetLimit, budgetJson, type OverBudget, type Spent } from "./budgets.ts";

/** Signing up, in and out, and the links of mails. Hashes are SHA-256 of what the browser has, base64url. */

/** Who is signed in to the site. */
export interface SiteUser {
  id: number;
  username: string;
  permalink: string;
  email: string;
  confirmed: boolean;
  plan: "free" | "artist" | "artist-pro";
}

export type Limited = { outcome: "limited"; retry_after: number };

/** `undefined` where the session ended, or its user is disabled. */
export const findSiteUser = async (db: Database, sessionHash: string): Promise<SiteUser | undefined> =>
  (await ask<SiteUser | null>(db, sql`site_user(${sessionHash})`)) ?? undefined;

export interface NewSession {
  hash: string;
  ttlS: number;
  /** The browser's session until now, which ends. */
  replacing: string | undefined;
}

export interface MailToken {
  hash: string;
  ttlS: number;
}

/** A browser in which the account was opened before: its attempts are limited by themselves. */
export interface KnownBrowser {
  user: number;
  /** Its name among the account's browsers. */
  browser: string;
  /** SHA-256 of the password's hash as it was, in hex. */
  password: string;
}

/**
 * Counts the attempt, then tells what to verify; `user` is null for no account. `login` is an e-mail address, or a
 * permalink. An attempt that is not taken back by `signIn` counts as failed.
 */
export const beginSignIn = (db: Database, login: string, address: string, known: KnownBrowser | undefined) =>
  ask<Limited | { outcome: "open"; user: number | null; password_hash: string | null; attempt: string }>(
    db,
    sql`begin_sign_in(${login}, ${address}, ${known ? JSON.stringify(known) : null})`,
  );

export interface Verified {
  user: number;
  /** What the password fitted. */
  seenHash: string;
  /** The same password at today's cost. */
  newHash: string | undefined;
  attempt: string;
}

export const signIn = (db: Database, verified: Verified, session: NewSession) =>
  ask<boolean>(
    db,
    sql`sign_in(${verified.user}, ${verified.seenHash}, ${verified.newHash ?? null}, ${verified.attempt},
      ${session.replacing ?? null}, ${session.hash}, ${session.ttlS})`,
  );

export interface Taken {
  username_taken: boolean;
  email_taken: boolean;
}

export interface UsernameKeys {
  /** The same for spellings of one name: whatever the case, accents, spaces and signs. */
  username_key: string;
  /** The same for names that look alike, in whatever script. */
  look_alike_key: string;
}

export interface NewName extends UsernameKeys {
  username: string;
  permalink: string;
  /** Takes the permalink's place where it is taken. Null where the username is taken then. */
  spare: string | null;
}

export const beginSignUp = (
  db: Database,
  name: NewName,
  email: string,
  address: string,
  budget: BudgetLimit | null,
) =>
  ask<OverBudget | ({ outcome: "open"; spent: Spent | null } & Taken)>(
    db,
    sql`begin_sign_up(${JSON.stringify(name)}, ${email}, ${address}, ${budgetJson(budget)})`,
  );

export interface NewAccount extends NewName {
  email: string;
  password_hash: string;
}

export const signUp = (db: Database, account: NewAccount, session: NewSession, token: MailToken) =>
  ask<{ outcome: "made"; user: number } | ({ outcome: "taken" } & Taken)>(
    db,
    sql`sign_up(${JSON.stringify(account)}, ${session.replacing ?? null}, ${session.hash}, ${session.ttlS},
      ${token.hash}, ${token.ttlS})`,
  );

export const signOut = (db: Database, sessionHash: string) =>
  db.execute(
    sql`update site_sessions set revoked_at = now() where hash = ${sessionHash} and revoked_at is null`,
  );

/** `replaced` is the address that the account had before. */
export const confirmEmail = (db: Database, tokenHash: string) =>
  ask<{ outcome: "confirmed"; replaced?: string | null } | { outcome: "invalid" }>(
    db,
    sql`confirm_email(${tokenHash})`,
  );

/** False where the link is worth nothing any more: its change of address was confirmed, say. */
export const cancelEmailChange = (db: Database, tokenHash: string) =>
  ask<boolean>(db, sql`cancel_email_change(${tokenHash})`);

export const resendConfirmation = (db: Database, sessionHash: string, token: MailToken) =>
  ask<Limited | { outcome: "signed_out" | "confirmed" } | { outcome: "sent"; email: string }>(
    db,
    sql`resend_confirmation(${sessionHash}, ${token.hash}, ${token.ttlS})`,
  );

/** `email` is where the link goes, if anywhere. */
export const forgetPassword = (db: Database, email: string, address: string, token: MailToken) =>
  ask<Limited | { outcome: "asked"; email: string | null }>(
    db,
    sql`forget_password(${email}, ${address}, ${token.hash}, ${token.ttlS})`,
  );

/** Whose password the link resets. */
export const findReset = async (db: Database, tokenHash: string): Promise<number | undefined> =>
  (await ask<number | null>(db, sql`find_reset(${tokenHash})::float8`)) ?? undefined;

/** False where the link is worth nothing any more. */
export const resetPassword = (db: Database, tokenHash: string, passwordHash: string) =>
  ask<boolean>(db, sql`reset_password(${tokenHash}, ${passwordHash})`);

/** One function of the database, which answers with one value. */
export const ask = <Answer>(db: Database, call: SQL, sending?: Sending): Promise<Answer> =>
  db.evaluate<Answer>(call, sending);
