import { and, eq, isNull, lte, notExists, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { storedObjects } from "../schema/stored-objects.ts";
import { tracks } from "../schema/tracks.ts";
import { objectGarbage } from "../schema/uploads.ts";

const { prefix } = objectGarbage;

/** Held by a backup while it copies: an advisory lock, which ends with its session. */
export const BACKUP_LOCK = 7_683_252;

/** When what is listed before it is stored may be deleted. It allows for the longest upload of a track. */
export const dueAfterStoring = sql`now() + interval '48 hours'`;

/** Lets the planner find the track by its key. */
const trackOfPrefix = sql`case when ${prefix} ~ '^t/[0-9]+/' then split_part(${prefix}, '/', 2)::bigint end`;

/**
 * Time from which objects may be deleted. Those that a row has shown wait for `days` more, so that a database restored to then finds
 * them. Only closed pictures wait: whoever has a picture's address needs no row to get it.
 */
export const deletableAt = (days: number): SQL => sql`case
  when exists (select from ${storedObjects} s where s.prefix = ${prefix} and (s.kind <> 'picture' or ${objectGarbage.closed}))
  then ${objectGarbage.dueAt} + make_interval(days => ${days}) else ${objectGarbage.dueAt} end`;

/** The first condition is the index's. */
export const isDeletable = (days: number) =>
  and(lte(objectGarbage.dueAt, sql`now()`), lte(deletableAt(days), sql`now()`));

/**
 * Lists prefixes that are due for deletion. They stay listed until `forgetGarbage`, so a crash in between is harmless.
 * Excludes objects of a sandbox's snapshot and media of existing tracks; lists none during a backup.
 */
export const dueGarbage = (db: Database, limit: number, days: number) =>
  db.read((on) =>
    on
      .select({ bucket: objectGarbage.bucket, prefix })
      .from(objectGarbage)
      .where(
        and(
          isDeletable(days),
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
  db.writeAll((on) => [
    on.delete(storedObjects).where(and(eq(storedObjects.prefix, deleted), isNull(storedObjects.userId))),
    on.delete(objectGarbage).where(eq(prefix, deleted)),
  ]);
