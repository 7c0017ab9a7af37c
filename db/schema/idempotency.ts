import { index, jsonb, pgTable, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, reference } from "./columns.ts";

/** Results of POSTs with an Idempotency-Key. Reading the table reveals neither keys nor secrets. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** SHA-256 of app, user and key. */
    keyHash: bytes().primaryKey(),
    /** SHA-256 of the request. */
    fingerprint: bytes().notNull(),
    /** The request that did the work. Only its own refusal afterwards frees the key. */
    claim: uuid().notNull(),
    /** Result of the statement that did the work. Null if it is too large; then `madeId` tells what it made. */
    result: jsonb(),
    madeId: reference(),
    /** A secret that only the reply shows, encrypted. */
    secret: bytes(),
    expiresAt: instant().notNull(),
  },
  (table) => [index("idempotency_keys_expires_at_idx").on(table.expiresAt)],
);
