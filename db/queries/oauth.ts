import type { Database } from "../client.ts";

export interface Client {
  clientId: string;
  secretHash: string;
  address: string;
}

/** What any statement of the token endpoint may answer in place of its own outcome. */
export type ClientRefusal = { outcome: "invalid_client" } | { outcome: "limited"; retry_after: number };

export interface Issued {
  outcome: "issued";
  session: number;
  user: number | null;
  scope: string;
  hold_ms?: number;
}

/** `hold_ms`: how long the reply waits, so that whoever waits for it comes back only once its race has ended. */
export type InvalidGrant = { outcome: "invalid_grant"; replay?: true; hold_ms?: number };

interface Lifetimes {
  sessionTtlS: number;
  refreshTtlS: number;
}

/** `refreshHash` is made by the caller, so that a statement whose reply got lost may be sent again and is known again. */
export interface NewTokens extends Lifetimes {
  refreshHash: string;
}

export const exchangeCode = (
  db: Database,
  client: Client,
  tokens: NewTokens,
  code: { arrivedAt: Date; hash: string; redirectUri: string; challenge: string | null },
) =>
  call<Issued | InvalidGrant | { outcome: "unexpected_verifier" }>(db, "exchange_code", [
    client.clientId,
    client.secretHash,
    client.address,
    code.arrivedAt.toISOString(),
    tokens.refreshHash,
    tokens.sessionTtlS,
    tokens.refreshTtlS,
    code.hash,
    code.redirectUri,
    code.challenge,
  ]);

export const refreshSession = (
  db: Database,
  client: Client,
  tokens: NewTokens,
  old: { arrivedAt: Date; hash: string; scope: string | undefined },
) =>
  call<Issued | InvalidGrant | { outcome: "invalid_scope" }>(db, "refresh_session", [
    client.clientId,
    client.secretHash,
    client.address,
    old.arrivedAt.toISOString(),
    tokens.refreshHash,
    tokens.refreshTtlS,
    old.hash,
    old.scope ?? null,
  ]);

export type TooManyTokens = {
  outcome: "too_many_tokens";
  bucket: "by-app" | "by-ip";
  reset_at: string;
  retry_after: number;
};

export const grantClientCredentials = (db: Database, client: Client, tokens: NewTokens, scope: string) =>
  callOnce<Issued | TooManyTokens>(db, "client_credentials", [
    client.clientId,
    client.secretHash,
    client.address,
    tokens.refreshHash,
    tokens.sessionTtlS,
    tokens.refreshTtlS,
    scope,
  ]);

/** By a refresh token's hash, or by the session that an access token names. */
export interface NamedToken {
  refreshHash: string | null;
  sessionId: number | null;
}

export const revokeToken = (db: Database, client: Client, token: NamedToken) =>
  call<{ outcome: "revoked" }>(db, "revoke_token", [
    client.clientId,
    client.secretHash,
    client.address,
    token.refreshHash,
    token.sessionId,
  ]);

export interface LiveToken {
  session: number;
  user: number | null;
  username: string | null;
  scope: string;
  /** Seconds since 1970; of refresh tokens. */
  issued_at: number | null;
  expires_at: number | null;
}

export const introspectToken = (db: Database, client: Client, token: NamedToken) =>
  call<{ outcome: "introspected"; live: LiveToken | null }>(db, "introspect_token", [
    client.clientId,
    client.secretHash,
    client.address,
    token.refreshHash,
    token.sessionId,
  ]);

/** False where the session had ended before. */
export const endSession = (
  db: Database,
  session: { sessionId: number; clientId: string; userId: number | null },
) => db.call<boolean>("end_session", [session.sessionId, session.clientId, session.userId]);

/** These statements know their own repetition. */
const call = <Outcome>(db: Database, name: string, parameters: readonly unknown[]) =>
  db.call<Outcome | ClientRefusal>(name, parameters, "repeatable");

const callOnce = <Outcome>(db: Database, name: string, parameters: readonly unknown[]) =>
  db.call<Outcome | ClientRefusal>(name, parameters, "once");
