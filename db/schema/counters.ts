import { sql } from "drizzle-orm";
import { bigint, check, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant, reference } from "./columns.ts";

/**
 * Pending changes of busy counters. Requests append them, the sweep adds them up, and reads include them. A foreign
 * key would lock the very row that this table spares. Changes of deleted subjects are dropped.
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
    /** The start of the hour (UTC) to which insights add the change. */
    hour: instant().notNull().default(sql`date_trunc('hour', now(), 'UTC')`),
  },
  (table) => [
    check(
      "counter_deltas_counter",
      // A list written out here would be parsed at every insert.
      sql`counter_exists(${table.kind}, ${table.counter})`,
    ),
  ],
);

/** Progress of the recount, by kind of subject. A pass begins once a day and runs in batches. */
export const recounts = pgTable("recounts", {
  kind: text().primaryKey(),
  /** Subjects above this id remain in this pass. Null between passes. */
  afterId: reference(),
  begunAt: instant().notNull().default(sql`'-infinity'`),
  /** Totals of this pass, or of the last one. */
  checked: bigint({ mode: "number" }).notNull().default(0),
  repaired: bigint({ mode: "number" }).notNull().default(0),
});
