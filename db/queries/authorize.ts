import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { apps, users } from "../schema/people.ts";
import type { ReplyOf } from "../shape.ts";
import { OpenAttempt } from "./accounts.ts";
import { AppRow } from "./apps.ts";
import { type Client, ClientRefusal, Issued } from "./oauth.ts";

export const AuthorizingApp = () =>
  AppRow().extend(rowOf(apps).pick({ redirect_uris: true, first_party: true }).shape);
export type AuthorizingApp = ReplyOf<typeof AuthorizingApp>;

export const AuthorizingUser = () =>
  rowOf(users).pick({ id: true, username: true }).extend({
    disabled: z.boolean(),
    /** Null if the user never allowed this app anything. */
    consented_scope: z.string().nullable(),
  });
export type AuthorizingUser = ReplyOf<typeof AuthorizingUser>;

/** `app` is null if unknown or disabled, `user` if nobody is signed in. */
export async function findAuthorization(
  db: Database,
  clientId: string,
  siteSessionHash: string | undefined,
): Promise<{ app: AuthorizingApp | null; user: AuthorizingUser | null }> {
  return db.call(
    "authorization_page",
    () =>
      z.strictObject({
        app: AuthorizingApp().nullable(),
        user: AuthorizingUser().nullable(),
      }),
    { client: clientId, site_session: siteSessionHash ?? null },
  );
}

interface Decision {
  clientId: string;
  siteSessionHash: string;
  /** Registered URIs, any of which allows `redirectUri`. */
  registrations: string[];
  approved: boolean;
  /** Id of the consent form. A second code for it is refused. */
  nonce: string;
  codeHash: string;
  codeTtlS: number;
  redirectUri: string;
  codeChallenge: string | null;
  scope: string;
  /** Lifetime of a token of the older implicit grant. */
  tokenTtlS: number | null;
  wantsCode: boolean;
}

const DecisionOutcome = () =>
  z.union([
    z.strictObject({
      outcome: z.literal("approved"),
      user: z.number(),
      session: z.number().nullable(),
    }),
    z.strictObject({
      outcome: z.enum(["denied", "signed_out", "unknown_app", "replayed"]),
    }),
  ]);
type DecisionOutcome = ReplyOf<typeof DecisionOutcome>;

/** Recognizes its own repetition by the code's hash. */
export async function decideAuthorization(db: Database, decision: Decision): Promise<DecisionOutcome> {
  const { clientId, siteSessionHash, registrations, approved, nonce, codeHash, codeTtlS } = decision;
  const { redirectUri, codeChallenge, scope, tokenTtlS, wantsCode } = decision;
  return db.call(
    "decide_authorization",
    DecisionOutcome,
    {
      client: clientId,
      site_session: siteSessionHash,
      registrations: JSON.stringify(registrations),
      approved,
      nonce,
      code_hash: codeHash,
      code_ttl: codeTtlS,
      redirect_uri: redirectUri,
      challenge: codeChallenge,
      scope,
      token_ttl: tokenTtlS,
      wants_code: wantsCode,
    },
    "repeatable",
  );
}

/** Begins the older password grant. Counts the attempt, as `beginSignIn` does. */
export const beginPasswordGrant = (db: Database, client: Client, login: string) =>
  db.call("begin_password_grant", () => z.union([ClientRefusal(), OpenAttempt()]), {
    client: client.clientId,
    secret_hash: client.secretHash,
    address: client.address,
    login,
  });

/** Issues tokens after the password matched, and withdraws the counted attempt. */
export const grantByPassword = (
  db: Database,
  clientId: string,
  verified: { user: number; seenHash: string; attempt: string },
  { scope, ttlS }: { scope: string; ttlS: number },
) =>
  db.call(
    "password_grant",
    () => z.union([Issued(), z.strictObject({ outcome: z.literal("invalid_grant") })]),
    {
      client: clientId,
      user: verified.user,
      seen_hash: verified.seenHash,
      attempt: verified.attempt,
      scope,
      ttl: ttlS,
    },
  );
