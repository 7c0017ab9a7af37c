import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { ask } from "./accounts.ts";
import type { Client, ClientRefusal, InvalidGrant, Issued } from "./oauth.ts";

export interface AuthorizingApp {
  id: number;
  name: string;
  permalink: string;
  external_url: string | null;
  redirect_uris: string[];
  first_party: boolean;
  creator: string;
  creator_permalink: string;
}

export interface AuthorizingUser {
  id: number;
  username: string;
  disabled: boolean;
  /** Null where they never allowed this app anything. */
  consented_scope: string | null;
}

/** `app` is null where there is none or it is disabled; `user` where nobody is signed in. */
export async function findAuthorization(
  db: Database,
  clientId: string,
  siteSessionHash: string | undefined,
): Promise<{ app: AuthorizingApp | null; user: AuthorizingUser | null }> {
  return ask(db, sql`authorization_page(${clientId}, ${siteSessionHash ?? null})`);
}

export interface Decision {
  clientId: string;
  siteSessionHash: string;
  /** Registered URIs of which any allows `redirectUri`. */
  registrations: string[];
  approved: boolean;
  /** The form's own: a second code for it is refused. */
  nonce: string;
  codeHash: string;
  codeTtlS: number;
  redirectUri: string;
  codeChallenge: string | null;
  scope: string;
  /** For the older implicit grant: how long its token lasts. */
  tokenTtlS: number | null;
  wantsCode: boolean;
}

export type DecisionOutcome =
  | { outcome: "approved"; user: number; session: number | null }
  | { outcome: "denied" | "signed_out" | "unknown_app" | "replayed" };

/** Knows its own repetition by the code's hash. */
export async function decideAuthorization(db: Database, decision: Decision): Promise<DecisionOutcome> {
  const { clientId, siteSessionHash, registrations, approved, nonce, codeHash, codeTtlS } = decision;
  const { redirectUri, codeChallenge, scope, tokenTtlS, wantsCode } = decision;
  return ask(
    db,
    sql`decide_authorization(${clientId}, ${siteSessionHash}, ${JSON.stringify(registrations)}, ${approved},
      ${nonce}, ${codeHash}, ${codeTtlS}, ${redirectUri}, ${codeChallenge}, ${scope}, ${tokenTtlS}, ${wantsCode})`,
    "repeatable",
  );
}

/** The older password grant. Counts the attempt, then tells what to verify. */
export const beginPasswordGrant = (db: Database, client: Client, login: string) =>
  ask<
    ClientRefusal | { outcome: "open"; user: number | null; password_hash: string | null; attempt: string }
  >(db, sql`begin_password_grant(${client.clientId}, ${client.secretHash}, ${client.address}, ${login})`);

/** `attempt` was the one that succeeded, and is taken back. */
export const grantByPassword = (
  db: Database,
  clientId: string,
  verified: { user: number; seenHash: string; attempt: string },
  { scope, ttlS }: { scope: string; ttlS: number },
) =>
  ask<Issued | InvalidGrant>(
    db,
    sql`password_grant(${clientId}, ${verified.user}, ${verified.seenHash}, ${verified.attempt}, ${scope}, ${ttlS})`,
  );
