import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant, reference } from "./columns.ts";
import { apps, users } from "./people.ts";
import { tracks } from "./tracks.ts";

/** A direct upload. The client sends parts to storage by presigned URLs. */
export const uploads = pgTable(
  "uploads",
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    appId: reference().references(() => apps.id, { onDelete: "set null" }),
    filename: text().notNull(),
    size: bigint({ mode: "number" }).notNull(),
    type: text().notNull(),
    lastModified: bigint({ mode: "number" }),
    status: text({ enum: ["open", "completing", "ready", "used", "failed", "aborted", "expired"] })
      .notNull()
      .default("open"),
    partSize: integer().notNull(),
    partCount: integer().notNull(),
    objectKey: text().notNull().unique("uploads_object_key_key"),
    /** Storage's id of the multipart upload; null until storage has answered. */
    storageUploadId: text(),
    trackId: reference().references(() => tracks.id, { onDelete: "set null" }),
    error: text(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index("uploads_user_id_open_idx")
      .on(table.userId, table.id)
      .where(sql`${table.status} in ('open', 'completing')`),
    index("uploads_user_id_id_idx").on(table.userId, table.id),
    index("uploads_app_id_idx").on(table.appId).where(sql`${table.appId} is not null`),
    index("uploads_track_id_idx").on(table.trackId).where(sql`${table.trackId} is not null`),
    index("uploads_expires_at_idx")
      .on(table.expiresAt)
      .where(sql`${table.status} in ('open', 'completing', 'ready')`),
    index("uploads_ended_idx")
      .on(table.expiresAt)
      .where(sql`${table.status} in ('failed', 'aborted', 'expired')`),
    check(
      "uploads_status",
      sql`${table.status} in ('open', 'completing', 'ready', 'used', 'failed', 'aborted', 'expired')`,
    ),
  ],
);

/**
 * Objects to delete after `due_at`. A prefix is listed before its first object exists. The statement that references it
 * removes it, so crashed and superseded writes are swept.
 */
export const objectGarbage = pgTable(
  "object_garbage",
  {
    prefix: text().primaryKey(),
    bucket: text({ enum: ["uploads", "media"] }).notNull(),
    dueAt: instant().notNull(),
    /** True if a row has shown the picture. Its address then opens nothing, though the files stay for some days. */
    closed: boolean().notNull().default(false),
  },
  (table) => [
    index("object_garbage_due_at_idx").on(table.dueAt),
    index("object_garbage_closed_idx").on(table.prefix).where(sql`${table.closed}`),
    check("object_garbage_bucket", sql`${table.bucket} in ('uploads', 'media')`),
  ],
);
