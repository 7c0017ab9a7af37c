import { and, eq, exists, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { invitations } from "../schema/invitations.ts";
import { accounts, siteSessions, users } from "../schema/people.ts";
import type { ReplyOf } from "../shape.ts";
import { type BudgetLimit, Limited, type SingleUse, type Spent, useOnce } from "./budgets.ts";
import { firstRow, onlyRow } from "./caller.ts";
import { type InvitationState, invitationState } from "./invitations.ts";
import { linkedId } from "./links.ts";
import type { MailToken } from "./mail-links.ts";

/** Sign-up, sign-in and sign-out. Hashes are SHA-256 of the browser's secret, base64url. */

/** Matches a browser's session that lives. Its user may be disabled. */
export const sessionLives = (hash: string) =>
  and(eq(siteSessions.hash, hash), isNull(siteSessions.revokedAt), gt(siteSessions.expiresAt, sql`now()`));

/** Matches the session of a browser that is signed in. `users` must be joined as its user. */
export const isSignedIn = (hash: string) => and(sessionLives(hash), isNull(users.disabledAt));

/** The user signed in to the site, with `accounts` joined. */
export const siteUserColumns = {
  id: users.id,
  username: users.username,
  permalink: users.permalink,
  email: accounts.email,
  confirmed: sql<boolean>`${accounts.confirmedAt} is not null`,
  awaits_confirmation: accounts.awaitsConfirmation,
  plan: users.plan,
};

/** `undefined` if the session ended or its user is disabled. */
export const findSiteUser = (db: Database, sessionHash: string) =>
  db
    .read((on) =>
      on
        .select(siteUserColumns)
        .from(siteSessions)
        .innerJoin(users, eq(users.id, siteSessions.userId))
        .innerJoin(accounts, eq(accounts.userId, users.id))
        .where(isSignedIn(sessionHash)),
    )
    .then(firstRow);

export interface NewSession {
  hash: string;
  ttlS: number;
  /** Such as `Firefox on Linux`. */
  browser: string | undefined;
  /** The browser's previous session, which ends. */
  replacing: string | undefined;
}

/** A browser that signed in to the account before. Its attempts have a limit of their own. */
export interface KnownBrowser {
  user: number;
  /** Id of the browser among the account's browsers. */
  browser: string;
  /** SHA-256 of the password hash at that time, in hex. */
  password: string;
}

/** A permitted attempt, with the hash to verify. `user` is null without an account. */
export const OpenAttempt = () =>
  z.strictObject({
    outcome: z.literal("open"),
    user: z.number().nullable(),
    password_hash: z.string().nullable(),
    attempt: z.string(),
  });
export type OpenAttempt = ReplyOf<typeof OpenAttempt>;

/** Counts the attempt, as failed unless `signIn` withdraws it. `login` is an e-mail address or a permalink. */
export const beginSignIn = (db: Database, login: string, address: string, known: KnownBrowser | undefined) =>
  db.call("begin_sign_in", () => z.union([Limited(), OpenAttempt()]), {
    login,
    address,
    known: known ?? null,
  });

const SignedIn = () =>
  z.union([
    z.strictObject({ outcome: z.literal("done") }),
    z.strictObject({ outcome: z.literal("refused"), reason: z.null() }),
    z.strictObject({ outcome: z.literal("suspended"), reason: z.string() }),
  ]);

interface Verified {
  user: number;
  /** The hash that the password matched. */
  seenHash: string;
  /** A hash of the same password at the current cost. */
  newHash: string | undefined;
  attempt: string;
}

export const signIn = (db: Database, verified: Verified, session: NewSession) =>
  db.call("sign_in", SignedIn, {
    user: verified.user,
    seen_hash: verified.seenHash,
    new_hash: verified.newHash ?? null,
    attempt: verified.attempt,
    old_session: session.replacing ?? null,
    session: session.hash,
    browser: session.browser ?? null,
    ttl: session.ttlS,
  });

export const Taken = () => z.strictObject({ username_taken: z.boolean(), email_taken: z.boolean() });
export type Taken = ReplyOf<typeof Taken>;

export interface UsernameKeys {
  /** Equal for spellings of one name, ignoring case, accents, spaces and punctuation. */
  username_key: string;
  /** Equal for names that look alike in any script. */
  look_alike_key: string;
}

export interface NewName extends UsernameKeys {
  username: string;
  permalink: string;
  /** Alternative if the permalink is taken. Null means that the username counts as taken instead. */
  spare: string | null;
}

interface BegunSignUp {
  name: NewName;
  email: string;
  /** Hash of the invitation's code. Null where nobody needs one. */
  invitation: string | null;
  address: string;
  budget: BudgetLimit | null;
  proof: SingleUse | undefined;
}

/**
 * Counts a sign-up from the address against its budget, uses up its proof of work, and tells, before the password is hashed,
 * whether the names are free and the invitation is open.
 */
export const beginSignUp = (db: Database, { name, email, invitation, address, budget, proof }: BegunSignUp) =>
  db
    .write((on) => {
      const named = (condition: SQL) => exists(on.select({ id: users.id }).from(users).where(condition));
      const isTaken = or(
        named(eq(users.usernameKey, name.username_key)),
        named(eq(users.lookAlikeKey, name.look_alike_key)),
        name.spare === null
          ? sql`${linkedId({ kind: "user", permalink: name.permalink })} is not null`
          : undefined,
      );
      const invited = on
        .select({ state: invitationState })
        .from(invitations)
        .where(eq(invitations.codeHash, sql`${invitation}::text`));
      const owners = on.select().from(accounts).where(sql`lower(${accounts.email}) = lower(${email})`);
      return on
        .select({
          spent: sql<Spent | null>`spent`,
          username_taken: sql<boolean>`${isTaken}`,
          email_taken: sql<boolean>`${exists(owners)}`,
          proof_used: sql<boolean>`coalesce((proof->>'refused')::boolean, false)`,
          invitation: sql<InvitationState | null>`(${invited})`,
        })
        .from(
          sql`take_budget(${budget && JSON.stringify(budget)}::jsonb, ${address}) spent, ${useOnce(proof)} proof`,
        );
    })
    .then(onlyRow);

interface NewAccount extends NewName {
  email: string;
  password_hash: string;
  /** Whether the user posts nothing before the address is confirmed. */
  awaits_confirmation: boolean;
  /** Hash of the code of the invitation, which loses one use. */
  invitation: string | null;
}

export const signUp = (db: Database, account: NewAccount, session: NewSession, token: MailToken) =>
  db.call(
    "sign_up",
    () =>
      z.union([
        z.strictObject({
          outcome: z.literal("made"),
          user: z.number(),
        }),
        Taken().extend({
          outcome: z.literal("taken"),
        }),
        z.strictObject({ outcome: z.literal("uninvited") }),
      ]),
    {
      new: account,
      old_session: session.replacing ?? null,
      session: session.hash,
      browser: session.browser ?? null,
      ttl: session.ttlS,
      token: token.hash,
      token_ttl: token.ttlS,
      sealed: token.sealed,
    },
  );

export const signOut = (db: Database, sessionHash: string) =>
  db.write((on) =>
    on
      .update(siteSessions)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(siteSessions.hash, sessionHash), isNull(siteSessions.revokedAt))),
  );
