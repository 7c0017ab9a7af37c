import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { accounts, siteSessions, users } from "../schema/people.ts";
import { isSignedIn, type NewSession } from "./accounts.ts";
import { Limited } from "./budgets.ts";
import type { MailToken } from "./mail-links.ts";

/** Account changes that need the password. */

const SignedOut = () =>
  z.strictObject({
    outcome: z.literal("signed_out"),
  });

/** The result of an attempt: the seconds to wait, or the ids of the attempts, which a success withdraws. */
interface Counted {
  wait: number;
  taken: number[] | null;
}

/** Counts the attempt, under the limits of a known browser, and returns the password hash to verify. */
export async function beginChange(db: Database, sessionHash: string, address: string) {
  const [begun] = await db.write((on) =>
    on
      .select({
        user: users.id,
        password_hash: accounts.passwordHash,
        attempt: sql<Counted>`to_json(take_password_attempt(${users.id}::text, ${address}, ${sessionHash}))`,
      })
      .from(siteSessions)
      .innerJoin(users, eq(users.id, siteSessions.userId))
      .innerJoin(accounts, eq(accounts.userId, users.id))
      .where(isSignedIn(sessionHash)),
  );
  if (!begun) return { outcome: "signed_out" } as const;
  const { attempt, ...account } = begun;
  if (attempt.wait > 0) return { outcome: "limited", retry_after: attempt.wait } as const;
  return { outcome: "open", ...account, attempt: `{${attempt.taken}}` } as const;
}

/** A change authorized by password. */
export interface Change {
  sessionHash: string;
  /** The hash that the password matched. */
  seenHash: string;
  attempt: string;
}

/** Mails the link of `token` to the new address, and that of `cancel`, which stops the change, to the present one. */
export const changeEmail = (
  db: Database,
  change: Change,
  email: string,
  token: MailToken,
  cancel: MailToken,
) =>
  db.call(
    "change_email",
    () =>
      z.union([
        SignedOut(),
        Limited(),
        z.strictObject({
          outcome: z.enum(["unconfirmed", "same", "sent"]),
        }),
      ]),
    {
      session: change.sessionHash,
      seen_hash: change.seenHash,
      attempt: change.attempt,
      email,
      token: token.hash,
      sealed: token.sealed,
      cancel_token: cancel.hash,
      cancel_sealed: cancel.sealed,
      ttl: token.ttlS,
    },
  );

/** May run long, like `revokeApp`, because the pending deliveries of ended webhooks fail. */
export const changePassword = (db: Database, change: Change, passwordHash: string, session: NewSession) =>
  db.callAtLength("change_password", () => z.boolean(), {
    session: change.sessionHash,
    seen_hash: change.seenHash,
    attempt: change.attempt,
    hash: passwordHash,
    new_session: session.hash,
    browser: session.browser ?? null,
    ttl: session.ttlS,
  });

/** May run long, because it recounts everyone who has one of the user's tracks among their favorites. */
export const deleteAccount = (db: Database, { sessionHash, seenHash, attempt }: Change) =>
  db.callAtLength("close_account", () => z.boolean(), {
    user: sql`confirmed_changer(${sessionHash}, ${seenHash}, ${attempt})`,
  });
