import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text } from "drizzle-orm/pg-core";
import { instant, reference } from "./columns.ts";
import { users } from "./people.ts";

/**
 * Lists the files that rows have in storage: a track's original, its encoded files, a picture in all formats. Triggers
 * add and orphan them, and the sweep forgets them with their objects.
 */
export const storedObjects = pgTable(
  "stored_objects",
  {
    /** The same as in `object_garbage`. */
    prefix: text().primaryKey(),
    kind: text({ enum: ["original", "encode", "picture"] }).notNull(),
    /** Null once no row shows the objects, which then wait for their deletion. */
    userId: reference().references(() => users.id, { onDelete: "set null" }),
    /** Null until storage has said it. */
    bytes: bigint({ mode: "number" }),
  },
  (table) => [
    // Holds the sizes, so that a quota reads the index alone.
    index("stored_objects_user_id_idx").on(table.userId, table.kind, table.bytes),
    index("stored_objects_unmeasured_idx").on(table.prefix).where(sql`${table.bytes} is null`),
    check("stored_objects_kind", sql`${table.kind} in ('original', 'encode', 'picture')`),
  ],
);

/** Sums of `stored_objects`, which the sweep renews, because adding them up takes as long as there are rows. */
export const storedTotals = pgTable("stored_totals", {
  /** Those of `stored_objects`, and `deleted` for what no row shows. */
  kind: text({ enum: ["original", "encode", "picture", "deleted"] }).primaryKey(),
  objects: bigint({ mode: "number" }).notNull(),
  bytes: bigint({ mode: "number" }).notNull(),
  countedAt: instant().notNull().defaultNow(),
});
