import { sql } from "drizzle-orm";
import { bigint, customType, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "../bytea.ts";

/** Time-ordered id from `next_id()`: milliseconds and a sequence, below 2^53. */
export const newId = () => bigint({ mode: "number" }).notNull().default(sql`next_id()`);

export const id = () => newId().primaryKey();

export const reference = () => bigint({ mode: "number" });

export const counter = () => bigint({ mode: "number" }).notNull().default(0);

export const instant = () => timestamp({ withTimezone: true });

export const bytes = customType<{ data: Uint8Array; driverData: string }>({
  dataType: () => "bytea",
  toDriver: bytea,
});

export const searchDocument = customType<{ data: string }>({ dataType: () => "tsvector" });

/** The transaction that made the row. Snapshots compare it, because ids are assigned before the commit. */
export const transactionId = () =>
  customType<{ data: string }>({ dataType: () => "xid8" })().default(sql`pg_current_xact_id()`);
