import { and, eq, lte, notExists, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { tracks } from "../schema/tracks.ts";
import { objectGarbage } from "../schema/uploads.ts";

const { prefix } = objectGarbage;

/** Held by a backup while it copies: an advisory lock, which ends with its session. */
export const BACKUP_LOCK = 7_683_252;

/** Lets the planner find the track by its key. */
const trackOfPrefix = sql`case when ${prefix} ~ '^t/[0-9]+/' then split_part(${prefix}, '/', 2)::bigint end`;

/**
 * Lists prefixes that are due for deletion. They stay listed until `forgetGarbage`, so a crash in between is harmless.
 * Excludes objects of a sandbox's snapshot and media of existing tracks; lists none during a backup.
 */
export const dueGarbage = (db: Database, limit: number) =>
  db.read((on) =>
    on
      .select({ bucket: objectGarbage.bucket, prefix })
      .from(objectGarbage)
      .where(
        and(
          lte(objectGarbage.dueAt, sql`now()`),
          sql`not exists (select from pg_locks where locktype = 'advisory' and objid = ${BACKUP_LOCK})`,
          sql`not exists (select from kept_objects k where k.prefix = ${prefix})`,
          notExists(
            on
              .select({ id: tracks.id })
              .from(tracks)
              .where(and(eq(tracks.mediaPrefix, prefix), eq(tracks.id, trackOfPrefix))),
          ),
        ),
      )
      .orderBy(objectGarbage.dueAt)
      .limit(limit),
  );

export const forgetGarbage = (db: Database, deleted: string) =>
  db.write((on) => on.delete(objectGarbage).where(eq(prefix, deleted)));
