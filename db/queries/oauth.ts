import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { sessions } from "../schema/grants.ts";
import { idempotencyKeys } from "../schema/idempotency.ts";
import type { ReplyOf, Shape } from "../shape.ts";
import type { Caller } from "./caller.ts";

export interface Client {
  clientId: string;
  secretHash: string;
  address: string;
}

/** Refusals common to all statements of the token endpoint. Without a `bucket`, a limit of sign-in was met. */
export const ClientRefusal = () =>
  z.union([
    z.strictObject({
      outcome: z.literal("invalid_client"),
    }),
    z.strictObject({
      outcome: z.literal("limited"),
      retry_after: z.number(),
      bucket: z.enum(["by-app-and-ip", "by-ip"]).optional(),
    }),
  ]);
export type ClientRefusal = ReplyOf<typeof ClientRefusal>;

export const Issued = () =>
  z.strictObject({
    outcome: z.literal("issued"),
    session: z.number(),
    user: z.number().nullable(),
    scope: z.string(),
    hold_ms: z.number().optional(),
    /** Base64 of `FirstReply.sealed`, for a request whose reply was lost. */
    first_reply: z.string().optional(),
  });
export type Issued = ReplyOf<typeof Issued>;

/**
 * `why` is shown only to the app that the code or token was issued to. `hold_ms` delays the reply until the race has
 * ended, so that its recipient's next use is outside it.
 */
export const InvalidGrant = () =>
  z.strictObject({
    outcome: z.literal("invalid_grant"),
    why: z.enum([
      "unknown_code",
      "used_code",
      "void_code",
      "expired_code",
      "redirect_uri",
      "no_verifier",
      "verifier",
      "unknown_token",
      "used_token",
      "ended_session",
      "expired_token",
    ]),
    replay: z.literal(true).optional(),
    hold_ms: z.number().optional(),
  });
export type InvalidGrant = ReplyOf<typeof InvalidGrant>;

/** Tokens whose `refreshHash` the caller makes. A statement sent again after a lost reply is recognized by it. */
export interface NewTokens {
  refreshHash: string;
  sessionTtlS: number;
  refreshTtlS: number;
}

export const exchangeCode = (
  db: Database,
  client: Client,
  tokens: NewTokens,
  code: { arrivedAt: Date; hash: string; redirectUri: string; challenge: string | null },
) =>
  db.call(
    "exchange_code",
    orRefusal(() =>
      z.union([
        Issued(),
        InvalidGrant(),
        z.strictObject({
          outcome: z.literal("unexpected_verifier"),
        }),
      ]),
    ),
    {
      client: client.clientId,
      secret_hash: client.secretHash,
      address: client.address,
      arrived_at: code.arrivedAt.toISOString(),
      refresh_hash: tokens.refreshHash,
      session_ttl: tokens.sessionTtlS,
      refresh_ttl: tokens.refreshTtlS,
      code_hash: code.hash,
      redirect_uri: code.redirectUri,
      challenge: code.challenge,
    },
    "repeatable",
  );

/** Identifies a request that may be repeated, and its reply. */
export interface FirstReply {
  keyHash: Uint8Array;
  fingerprint: Uint8Array;
  /** Encrypted. */
  sealed: Uint8Array;
  /** Seconds. */
  keptS: number;
}

export const refreshSession = (
  db: Database,
  client: Client,
  tokens: NewTokens,
  old: { arrivedAt: Date; hash: string; scope: string | undefined },
  first?: FirstReply,
) =>
  db.call(
    "refresh_session",
    orRefusal(() =>
      z.union([
        Issued(),
        InvalidGrant(),
        z.strictObject({
          outcome: z.literal("invalid_scope"),
        }),
      ]),
    ),
    {
      client: client.clientId,
      secret_hash: client.secretHash,
      address: client.address,
      arrived_at: old.arrivedAt.toISOString(),
      refresh_hash: tokens.refreshHash,
      refresh_ttl: tokens.refreshTtlS,
      old_hash: old.hash,
      scope: old.scope ?? null,
      key_hash: first?.keyHash ?? null,
      fingerprint: first?.fingerprint ?? null,
      reply: first?.sealed ?? null,
      kept_s: first?.keptS ?? null,
    },
    "repeatable",
  );

/** Completes what `refreshSession` has kept, now that the reply is whole. */
export const keepWholeReply = (db: Database, { keyHash, fingerprint, sealed }: FirstReply) =>
  db.write((on) =>
    on
      .update(idempotencyKeys)
      .set({ secret: sealed })
      .where(and(eq(idempotencyKeys.keyHash, keyHash), eq(idempotencyKeys.fingerprint, fingerprint))),
  );

export const TooManyTokens = () =>
  z.strictObject({
    outcome: z.literal("too_many_tokens"),
    bucket: z.enum(["by-app", "by-ip"]),
    reset_at: z.string(),
    retry_after: z.number(),
  });
export type TooManyTokens = ReplyOf<typeof TooManyTokens>;

export const grantClientCredentials = (db: Database, client: Client, tokens: NewTokens, scope: string) =>
  db.call(
    "client_credentials",
    orRefusal(() => z.union([Issued(), TooManyTokens()])),
    {
      client: client.clientId,
      secret_hash: client.secretHash,
      address: client.address,
      refresh_hash: tokens.refreshHash,
      session_ttl: tokens.sessionTtlS,
      refresh_ttl: tokens.refreshTtlS,
      scope,
    },
    "once",
  );

/** A token, by the hash of a refresh token or the session of an access token. */
export interface NamedToken {
  refreshHash: string | null;
  sessionId: number | null;
}

const namedToken = (client: Client, token: NamedToken) => ({
  client: client.clientId,
  secret_hash: client.secretHash,
  address: client.address,
  refresh_hash: token.refreshHash,
  session: token.sessionId,
});

export const revokeToken = (db: Database, client: Client, token: NamedToken) =>
  db.call(
    "revoke_token",
    orRefusal(() =>
      z.strictObject({
        outcome: z.literal("revoked"),
      }),
    ),
    namedToken(client, token),
    "repeatable",
  );

export const LiveToken = () =>
  z.strictObject({
    user: z.number().nullable(),
    username: z.string().nullable(),
    scope: z.string(),
    /** Seconds since 1970; set for refresh tokens. */
    issued_at: z.number().nullable(),
    expires_at: z.number().nullable(),
  });
export type LiveToken = ReplyOf<typeof LiveToken>;

export const introspectToken = (db: Database, client: Client, token: NamedToken) =>
  db.call(
    "introspect_token",
    orRefusal(() =>
      z.strictObject({
        outcome: z.literal("introspected"),
        live: LiveToken().nullable(),
      }),
    ),
    namedToken(client, token),
    "repeatable",
  );

/** False if the session had already ended. */
export const endSession = (db: Database, { sessionId, clientId, userId }: Caller) =>
  db
    .write((on) =>
      on
        .update(sessions)
        .set({ revokedAt: sql`now()` })
        .where(
          and(
            sql`session_is_live(${sessionId}, ${clientId}, ${userId})`,
            eq(sessions.id, sessionId),
            isNull(sessions.revokedAt),
          ),
        )
        .returning({ id: sessions.id }),
    )
    .then((ended) => ended.length > 0);

/** Extends a shape by the client's refusal. */
const orRefusal =
  <Reply>(shape: Shape<Reply>): Shape<Reply | ClientRefusal> =>
  () =>
    z.union([shape(), ClientRefusal()]);
