import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import type { Sending } from "../persistence.ts";

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
  (await ask<SiteUser | null>(db, sql`site_user_v1(${sessionHash})`)) ?? undefined;

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

/**
 * Counts the attempt, then tells what to verify; `user` is null for no account. `login` is an e-mail address, or a
 * permalink. An attempt that is not taken back by `signIn` counts as failed.
 */
export const beginSignIn = (db: Database, login: string, address: string) =>
  ask<Limited | { outcome: "open"; user: number | null; password_hash: string | null; attempt: string }>(
    db,
    sql`begin_sign_in_v1(${login}, ${address})`,
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
    sql`sign_in_v1(${verified.user}, ${verified.seenHash}, ${verified.newHash ?? null}, ${verified.attempt},
      ${session.replacing ?? null}, ${session.hash}, ${session.ttlS})`,
  );

export interface Taken {
  username_taken: boolean;
  email_taken: boolean;
}

export const beginSignUp = (db: Database, permalink: string, email: string, address: string) =>
  ask<Limited | ({ outcome: "open" } & Taken)>(db, sql`begin_sign_up_v1(${permalink}, ${email}, ${address})`);

export interface NewAccount {
  username: string;
  permalink: string;
  email: string;
  password_hash: string;
}

export const signUp = (db: Database, account: NewAccount, session: NewSession, token: MailToken) =>
  ask<{ outcome: "made" } | ({ outcome: "taken" } & Taken)>(
    db,
    sql`sign_up_v1(${JSON.stringify(account)}, ${session.replacing ?? null}, ${session.hash}, ${session.ttlS},
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
    sql`confirm_email_v1(${tokenHash})`,
  );

export const resendConfirmation = (db: Database, sessionHash: string, token: MailToken) =>
  ask<Limited | { outcome: "signed_out" | "confirmed" } | { outcome: "sent"; email: string }>(
    db,
    sql`resend_confirmation_v1(${sessionHash}, ${token.hash}, ${token.ttlS})`,
  );

/** `email` is where the link goes, if anywhere. */
export const forgetPassword = (db: Database, email: string, address: string, token: MailToken) =>
  ask<Limited | { outcome: "asked"; email: string | null }>(
    db,
    sql`forget_password_v1(${email}, ${address}, ${token.hash}, ${token.ttlS})`,
  );

/** Whose password the link resets. */
export const findReset = async (db: Database, tokenHash: string): Promise<number | undefined> =>
  (await ask<number | null>(db, sql`find_reset_v1(${tokenHash})::float8`)) ?? undefined;

/** False where the link is worth nothing any more. */
export const resetPassword = (db: Database, tokenHash: string, passwordHash: string) =>
  ask<boolean>(db, sql`reset_password_v1(${tokenHash}, ${passwordHash})`);

/** One function of the database, which answers with one value. */
export async function ask<Answer>(db: Database, call: SQL, sending?: Sending): Promise<Answer> {
  const [row] = await db.execute<{ answer: Answer }>(sql`select ${call} as answer`, sending);
  if (!row) throw new Error("the function returned no row");
  return row.answer;
}
