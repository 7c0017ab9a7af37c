import { and, eq } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { idempotencyKeys } from "../schema/idempotency.ts";
import { type Caller, callAs } from "./caller.ts";

export interface KeyClaim {
  keyHash: Uint8Array;
  fingerprint: Uint8Array;
  /** Identifies this request, so that it settles only its own claim. */
  claim: string;
  leaseS: number;
  retentionS: number;
}

const ClaimOutcome = () =>
  z.union([
    z.strictObject({
      outcome: z.enum(["claimed", "running", "other_request"]),
    }),
    z.strictObject({
      outcome: z.literal("replied"),
      reply: z.string(),
    }),
  ]);

export const claimIdempotencyKey = (db: Database, caller: Caller, key: KeyClaim) =>
  callAs(db, "claim_idempotency_key", ClaimOutcome, caller, {
    key_hash: key.keyHash,
    fingerprint: key.fingerprint,
    claim: key.claim,
    lease_s: key.leaseS,
    kept_s: key.retentionS,
  });

const ownsClaim = ({ keyHash, claim }: KeyClaim) =>
  and(eq(idempotencyKeys.keyHash, keyHash), eq(idempotencyKeys.claim, claim));

/** Stores the reply. Like `releaseIdempotencyKey` it needs no caller: only the claiming request knows the claim. */
export const rememberReply = (db: Database, claim: KeyClaim, sealedReply: Uint8Array) =>
  db.write((on) => on.update(idempotencyKeys).set({ reply: sealedReply }).where(ownsClaim(claim)));

export const releaseIdempotencyKey = (db: Database, claim: KeyClaim) =>
  db.write((on) => on.delete(idempotencyKeys).where(ownsClaim(claim)));
