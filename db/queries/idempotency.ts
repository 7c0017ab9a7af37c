import { and, eq } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import type { KeyClaim } from "../keyed.ts";
import { idempotencyKeys } from "../schema/idempotency.ts";
import { type Caller, callAs } from "./caller.ts";

/** Keeps the key of a request that may be repeated anyway, so that no other request takes it. */
export const keepKeyAlone = (db: Database, caller: Caller) =>
  callAs(db, "require_session", () => z.boolean(), caller, {});

/** Frees a key. Needs no caller: only the request that keeps it knows the claim. */
export const freeKey = (db: Database, { keyHash, claim }: KeyClaim) =>
  db.write((on) =>
    on
      .delete(idempotencyKeys)
      .where(and(eq(idempotencyKeys.keyHash, keyHash), eq(idempotencyKeys.claim, claim))),
  );
