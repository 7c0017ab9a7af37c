import { and, eq, lte, notExists, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { tracks } from "../schema/tracks.ts";
import { objectGarbage } from "../schema/uploads.ts";

const { prefix } = objectGarbage;

/** Lets the planner find the track by its key. */
const trackOfPrefix = sql`case when ${prefix} ~ '^t/[0-9]+/' then split_part(${prefix}, '/', 2)::bigint end`;

/**
 * Lists prefixes that are due for deletion. They stay listed until `forgetGarbage`, so a crash in between is harmless.
 * Excludes objects of a sandbox's snapshot and media of existing tracks.
 */
export const dueGarbage = (db: Database, limit: number) =>
  db.read((on) =>
    on
      .select({ bucket: objectGarbage.bucket, prefix })
      .from(objectGarbage)
      .where(
        and(
          lte(objectGarbage.dueAt, sql`now()`),
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
