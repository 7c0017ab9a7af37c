import { and, eq, gt, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { mailTokens } from "../schema/oauth.ts";
import { accounts, users } from "../schema/people.ts";
import { Limited } from "./budgets.ts";
import { siteUser } from "./caller.ts";

/** Mailed links. Hashes are SHA-256 of the link's secret, base64url. */

export interface MailToken {
  hash: string;
  ttlS: number;
  /** The token, encrypted until its mail was sent. */
  sealed: Uint8Array;
}

export const confirmEmail = (db: Database, tokenHash: string) =>
  db.call(
    "confirm_email",
    () =>
      z.strictObject({
        outcome: z.enum(["confirmed", "invalid"]),
      }),
    { token: tokenHash },
  );

/** False if the link is no longer valid, for example because the change was confirmed. */
export const cancelEmailChange = (db: Database, tokenHash: string) =>
  db.call("cancel_email_change", () => z.boolean(), { token: tokenHash });

export const resendConfirmation = (db: Database, sessionHash: string, token: MailToken) =>
  db.call(
    "resend_confirmation",
    () =>
      z.union([
        Limited(),
        z.strictObject({
          outcome: z.enum(["confirmed", "sent"]),
        }),
      ]),
    { user: siteUser(sessionHash), token: token.hash, ttl: token.ttlS, sealed: token.sealed },
  );

/** Mails a link if the address has an account. The reply is the same if not. */
export const forgetPassword = (db: Database, email: string, address: string, token: MailToken) =>
  db.call(
    "forget_password",
    () =>
      z.union([
        Limited(),
        z.strictObject({
          outcome: z.literal("asked"),
        }),
      ]),
    { email, address, token: token.hash, ttl: token.ttlS, sealed: token.sealed },
  );

/** Finds the user whose password the link resets, unless it is used or expired. */
export const findReset = async (db: Database, tokenHash: string): Promise<number | undefined> => {
  const [found] = await db.read((on) =>
    on
      .select({ user: users.id })
      .from(mailTokens)
      .innerJoin(accounts, and(eq(accounts.userId, mailTokens.userId), eq(accounts.email, mailTokens.email)))
      .innerJoin(users, eq(users.id, mailTokens.userId))
      .where(
        and(
          eq(mailTokens.hash, tokenHash),
          eq(mailTokens.purpose, "reset"),
          isNull(mailTokens.usedAt),
          gt(mailTokens.expiresAt, sql`now()`),
          isNull(users.disabledAt),
        ),
      ),
  );
  return found?.user;
};

/** Signs out whoever `oldSessionHash` belongs to. False if the link is no longer valid. May run long, like `changePassword`. */
export const resetPassword = (
  db: Database,
  tokenHash: string,
  passwordHash: string,
  oldSessionHash: string | undefined,
) =>
  db.callAtLength("reset_password", () => z.boolean(), {
    token: tokenHash,
    hash: passwordHash,
    old_session: oldSessionHash ?? null,
  });
