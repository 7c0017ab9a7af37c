import { index, pgTable, uuid } from "drizzle-orm/pg-core";
import { bytes, instant } from "./columns.ts";

/** First replies to POSTs that carried an Idempotency-Key. Whoever reads the table learns neither keys nor replies. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** SHA-256 of app, user and key. */
    keyHash: bytes().primaryKey(),
    /** SHA-256 of the request. */
    fingerprint: bytes().notNull(),
    /** Of the request that may write the reply: one whose lease ran out no longer may. */
    claim: uuid().notNull(),
    leaseUntil: instant().notNull(),
    /** Sealed, for it may show a secret. Null while the first request runs. */
    reply: bytes(),
    expiresAt: instant().notNull(),
  },
  (table) => [index("idempotency_keys_expires_at_idx").on(table.expiresAt)],
);
