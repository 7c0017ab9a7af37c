import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { bytea, type Caller, callAs } from "./caller.ts";

export interface KeyClaim {
  keyHash: Uint8Array;
  fingerprint: Uint8Array;
  /** Names this request, so that it settles no claim but its own. */
  claim: string;
  leaseS: number;
  keptS: number;
}

export type ClaimOutcome =
  | { outcome: "claimed" | "running" | "other_request" }
  /** `reply` is sealed, in Base64. */
  | { outcome: "replied"; reply: string };

export const claimIdempotencyKey = (db: Database, caller: Caller, key: KeyClaim) =>
  callAs<ClaimOutcome>(
    db,
    "claim_idempotency_key",
    caller,
    bytea(key.keyHash),
    bytea(key.fingerprint),
    key.claim,
    key.leaseS,
    key.keptS,
  );

/** Needs no caller, as `releaseIdempotencyKey`: only the request that made the claim knows it. */
export const rememberReply = (db: Database, { keyHash, claim }: KeyClaim, sealedReply: Uint8Array) =>
  db.execute(sql`
    update idempotency_keys set reply = ${bytea(sealedReply)}
    where key_hash = ${bytea(keyHash)} and claim = ${claim}`);

export const releaseIdempotencyKey = (db: Database, { keyHash, claim }: KeyClaim) =>
  db.execute(sql`delete from idempotency_keys where key_hash = ${bytea(keyHash)} and claim = ${claim}`);

export const forgetIdempotencyKeys = (db: Database) =>
  db.execute(sql`delete from idempotency_keys where expires_at <= now()`);
