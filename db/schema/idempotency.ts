import { index, pgTable, uuid } from "drizzle-orm/pg-core";
import { bytes, instant } from "./columns.ts";

/** First replies to POSTs with an Idempotency-Key. Reading the table reveals neither keys nor replies. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** SHA-256 of app, user and key. */
    keyHash: bytes().primaryKey(),
    /** SHA-256 of the request. */
    fingerprint: bytes().notNull(),
    /** The request that may write the reply, until its lease expires. */
    claim: uuid().notNull(),
    leaseUntil: instant().notNull(),
    /** Encrypted, because replies may contain secrets. Null while the first request runs. */
    reply: bytes(),
    expiresAt: instant().notNull(),
  },
  (table) => [index("idempotency_keys_expires_at_idx").on(table.expiresAt)],
);
