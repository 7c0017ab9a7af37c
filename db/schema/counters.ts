import { sql } from "drizzle-orm";
import { bigint, check, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant, reference } from "./columns.ts";

/**
 * What counters of busy rows are still owed: requests append, the sweep adds up, reads add what is pending. No foreign
 * key: it would lock the very row that this spares, and what is owed to a deleted one is dropped.
 */
export const counterDeltas = pgTable(
  "counter_deltas",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text().notNull(),
    subjectId: reference().notNull(),
    /** A column of the subject's table. */
    counter: text().notNull(),
    delta: integer().notNull(),
  },
  (table) => [
    check(
      "counter_deltas_counter",
      // Of a vocabulary written out Postgres would read the whole text at each insert.
      sql`counter_exists(${table.kind}, ${table.counter})`,
    ),
  ],
);

/** How far a recount of each kind of subject has come. A pass begins once a day and goes on in batches. */
export const recounts = pgTable("recounts", {
  kind: text().primaryKey(),
  /** Subjects above this id are still to be looked at; null between two passes. */
  afterId: reference(),
  begunAt: instant().notNull().default(sql`'-infinity'`),
  /** Of this pass, or the last one. */
  checked: bigint({ mode: "number" }).notNull().default(0),
  repaired: bigint({ mode: "number" }).notNull().default(0),
});
