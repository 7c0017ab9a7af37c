import type { Database } from "../client.ts";

/** A database that its owner has not marked is no sandbox; `busy` is another call at the same time. */
export type Refusal = { outcome: "no_sandbox" | "busy" };

export interface Taken {
  outcome: "taken";
  taken_at: string;
  users: number;
  tracks: number;
  objects: number;
}

export interface Restored {
  outcome: "restored";
  taken_at: string;
  restored_at: string;
  rows_deleted: number;
  rows_inserted: number;
}

/** Replaces the one before. Not while tracks are being encoded. */
export const takeSnapshot = (db: Database) =>
  db.callAtLength<Taken | Refusal | { outcome: "encoding" }>("take_snapshot", [], "repeatable");

export const restoreSnapshot = (db: Database) =>
  db.callAtLength<Restored | Refusal | { outcome: "no_snapshot" }>("restore_snapshot", [], "repeatable");
