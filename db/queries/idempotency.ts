import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { bytea, type Caller, callAs } from "./caller.ts";

export interface KeyClaim {
  keyHash: Uint8Array;
  fingerprint: Uint8Array;
  /** Names this request, so that it settles no claim but its own. */
  claim: string;
  leaseS: number;
  keptS: number;
}

export const ClaimOutcome = () =>
  z.union([
    z.strictObject({
      outcome: z.enum(["claimed", "running", "other_request"]),
    }),
    z.strictObject({
      outcome: z.literal("replied"),
      reply: z.string(),
    }),
  ]);
export type ClaimOutcome = Told<typeof ClaimOutcome>;

export const claimIdempotencyKey = (db: Database, caller: Caller, key: KeyClaim) =>
  callAs(db, "claim_idempotency_key", ClaimOutcome, caller, {
    key_hash: key.keyHash,
    fingerprint: key.fingerprint,
    claim: key.claim,
    lease_s: key.leaseS,
    kept_s: key.keptS,
  });

/** Needs no caller, as `releaseIdempotencyKey`: only the request that made the claim knows it. */
export const rememberReply = (db: Database, { keyHash, claim }: KeyClaim, sealedReply: Uint8Array) =>
  db.execute(sql`
    update idempotency_keys set reply = ${bytea(sealedReply)}
    where key_hash = ${bytea(keyHash)} and claim = ${claim}`);

export const releaseIdempotencyKey = (db: Database, { keyHash, claim }: KeyClaim) =>
  db.execute(sql`delete from idempotency_keys where key_hash = ${bytea(keyHash)} and claim = ${claim}`);

export const forgetIdempotencyKeys = (db: Database) =>
  db.execute(sql`delete from idempotency_keys where expires_at <= now()`);
