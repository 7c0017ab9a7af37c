import { eq, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import type { Bucket } from "../objects/port.ts";
import { objectGarbage } from "../schema/uploads.ts";

export interface GarbagePrefix {
  bucket: Bucket;
  prefix: string;
}

/**
 * Lists prefixes that are due for deletion. They stay listed until `forgetGarbage`, so a crash in between is harmless.
 * Excludes objects of a sandbox's snapshot and media of existing tracks.
 */
export const dueGarbage = (db: Database, limit: number) =>
  db.read<GarbagePrefix>(sql`
    select bucket, prefix from object_garbage g
    where due_at <= now() and not exists (select from kept_objects k where k.prefix = g.prefix)
      and not exists (
        select from tracks t where t.media_prefix = g.prefix
          and t.id = case when g.prefix ~ '^t/[0-9]+/' then split_part(g.prefix, '/', 2)::bigint end)
    order by due_at limit ${limit}`);

export const forgetGarbage = (db: Database, prefix: string) =>
  db.write((on) => on.delete(objectGarbage).where(eq(objectGarbage.prefix, prefix)));
