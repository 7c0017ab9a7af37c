import { and, eq, isNull, or, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { refreshTokens, sessions } from "../schema/grants.ts";
import { idempotencyKeys } from "../schema/idempotency.ts";
import { users } from "../schema/people.ts";
import type { ReplyOf, Shape } from "../shape.ts";
import type { Drizzle } from "../transports/open.ts";
import { type Caller, onlyRow } from "./caller.ts";

export interface Client {
  clientId: string;
  /** Null for a public client. */
  secretHash: string | null;
  address: string;
}

/** Refusals common to all statements of the token endpoint. Without a `bucket`, a limit of sign-in was met. */
export const ClientRefusal = () =>
  z.union([
    z.strictObject({
      outcome: z.enum(["invalid_client", "unauthorized_client"]),
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

/**
 * Tokens whose `refreshHash` the caller makes. A statement that is repeated after a lost reply is recognized by this
 * hash.
 */
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

/** Replaces the partial reply that `refreshSession` stored with the whole one. */
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

/** Authenticates a client in a statement's `with`. Its failure counts, so whoever reads it writes. */
export const authenticated = (on: Drizzle, { clientId, secretHash, address }: Client) =>
  on.$with("client").as(
    on
      .select({
        /** Null if it is refused. */
        app: sql<number | null>`(app).id`.as("authenticated_app"),
        refusal: sql<ClientRefusal | null>`refusal`.as("refusal"),
      })
      .from(sql`authenticate_client(${clientId}, ${secretHash}, ${address})`),
  );

/** Revokes this client's refresh token or session, RFC 7009. An unknown token is no error. */
export const revokeToken = (db: Database, client: Client, token: NamedToken) =>
  db
    .write((on) => {
      const asking = authenticated(on, client);
      const refreshed = on
        .select({ id: refreshTokens.sessionId })
        .from(refreshTokens)
        .where(eq(refreshTokens.hash, sql`${token.refreshHash}`));
      const isMeant = or(eq(sessions.id, sql`${token.sessionId}`), eq(sessions.id, sql`(${refreshed})`));
      const revoked = on.$with("revoked").as(
        on
          .update(sessions)
          .set({ revokedAt: sql`now()` })
          .from(asking)
          .where(and(eq(sessions.appId, asking.app), isNull(sessions.revokedAt), isMeant))
          .returning({ id: sessions.id }),
      );
      return on.with(asking, revoked).select({ refusal: asking.refusal }).from(asking);
    }, "repeatable")
    .then((rows) => onlyRow(rows).refusal ?? ({ outcome: "revoked" } as const));

/** Finds a valid token of this client, RFC 7662. */
export const introspectToken = (db: Database, client: Client, token: NamedToken) =>
  db
    .write((on) => {
      const asking = authenticated(on, client);
      const isLive = sql`session_is_live(${sessions.id}, ${client.clientId}, ${sessions.userId})`;
      return on
        .with(asking)
        .select({
          refusal: asking.refusal,
          session: sessions.id,
          user: sessions.userId,
          username: users.username,
          scope: sql<string>`${sessions.scope}`,
          /** Seconds since 1970; set for refresh tokens. */
          issued_at: seconds(refreshTokens.createdAt),
          expires_at: seconds(refreshTokens.expiresAt),
        })
        .from(asking)
        .leftJoin(refreshTokens, eq(refreshTokens.hash, sql`${token.refreshHash}`))
        .leftJoin(
          sessions,
          and(
            isNull(asking.refusal),
            eq(sessions.id, sql`coalesce(${token.sessionId}, ${refreshTokens.sessionId})`),
            isNull(refreshTokens.consumedAt),
            sql`coalesce(${refreshTokens.expiresAt} > now(), true)`,
            isLive,
          ),
        )
        .leftJoin(users, eq(users.id, sessions.userId));
    }, "repeatable")
    .then(onlyRow)
    .then(
      ({ refusal, session, ...live }) =>
        refusal ?? ({ outcome: "introspected", live: session === null ? null : live } as const),
    );

const seconds = (instant: SQLWrapper) =>
  sql<number | null>`extract(epoch from ${instant})::bigint`.mapWith(Number);

export type LiveToken = NonNullable<
  Extract<Awaited<ReturnType<typeof introspectToken>>, { outcome: "introspected" }>["live"]
>;

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
