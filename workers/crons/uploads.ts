import type { Database } from "../../db/client.ts";
import type { MultipartStore } from "../../db/objects/port.ts";
import { overdueUploads } from "../../db/queries/uploads.ts";
import { expireUpload } from "../../functions/api/uploads/expire.ts";
import { eachBatch } from "./attempts.ts";

/** Uploads per statement. */
const BATCH = 50;

/**
 * Milliseconds and uploads per run. Each upload takes two of a Worker's 10,000 subrequests. Erasing a user waits for
 * the user's uploads.
 */
const WITHIN_MS = 30_000;
const AT_MOST = 1_000;

/** Ends expired upload sessions. Returns their number. */
export const expireUploads = (db: Database, multipart: MultipartStore): Promise<number> =>
  eachBatch("uploads", {
    due: () => overdueUploads(db, BATCH),
    sweepOne: (upload) => expireUpload(db, multipart, upload),
    most: AT_MOST,
    withinMs: WITHIN_MS,
  });
