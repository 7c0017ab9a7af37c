import { eq, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import type { Bucket } from "../objects/port.ts";
import { objectGarbage } from "../schema/uploads.ts";

export interface GarbagePrefix {
  bucket: Bucket;
  prefix: string;
}

/**
 * Prefixes whose time has come. They stay listed until `forgetGarbage`, so that a crash between is harmless. What a sandbox's
 * snapshot brings back is none of them, nor what a track plays from, whatever is listed.
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
