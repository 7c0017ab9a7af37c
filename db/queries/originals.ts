import * as z from "zod";
import type { Database } from "../client.ts";

/** Days for which an original is kept whose track failed, or that nobody may download. */
export const ORIGINAL_KEPT_DAYS = 30;

const dropOriginals = (db: Database, idle: boolean, limit: number): Promise<number> =>
  db.call("drop_originals", () => z.number(), { idle, days: ORIGINAL_KEPT_DAYS, limit });

/** Deletes originals of tracks that failed and were not tried again, and tells their owners. Returns their number. */
export const dropFailedOriginals = (db: Database, limit: number) => dropOriginals(db, false, limit);

/** Deletes originals of finished tracks that nobody may download. Returns their number. */
export const dropIdleOriginals = (db: Database, limit: number) => dropOriginals(db, true, limit);
