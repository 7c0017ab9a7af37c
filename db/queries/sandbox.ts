import * as z from "zod";
import type { Database } from "../client.ts";

/** `no_sandbox`: the owner has not marked the database. `busy`: another call is running. */
const Refusal = () =>
  z.strictObject({
    outcome: z.enum(["no_sandbox", "busy"]),
  });

const Taken = () =>
  z.strictObject({
    outcome: z.literal("taken"),
    taken_at: z.string(),
    users: z.number(),
    tracks: z.number(),
    objects: z.number(),
  });

const Restored = () =>
  z.strictObject({
    outcome: z.literal("restored"),
    taken_at: z.string(),
    restored_at: z.string(),
    rows_deleted: z.number(),
    rows_inserted: z.number(),
  });

/** Replaces the previous snapshot. Refuses while tracks are being encoded. */
export const takeSnapshot = (db: Database) =>
  db.callAtLength(
    "take_snapshot",
    () =>
      z.union([
        Taken(),
        Refusal(),
        z.strictObject({
          outcome: z.literal("encoding"),
        }),
      ]),
    {},
    "repeatable",
  );

export const restoreSnapshot = (db: Database) =>
  db.callAtLength(
    "restore_snapshot",
    () =>
      z.union([
        Restored(),
        Refusal(),
        z.strictObject({
          outcome: z.literal("no_snapshot"),
        }),
      ]),
    {},
    "repeatable",
  );
