import type { Context } from "hono";
import type { Database } from "../../../db/client.ts";
import { openStorage } from "../../../db/objects/open.ts";
import type { MultipartStore } from "../../../db/objects/port.ts";
import { markUploadExpired, type OverdueUpload, overdueUploads } from "../../../db/queries/uploads.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { describeError, logLine } from "../../lib/http/log.ts";

/** Five may be open; those that became ready may be more. The cron does the rest. */
const MOST_OF_A_USER = 100;

/** Deletes an overdue upload's parts. Storage goes first: a row whose parts remain stays listed and is tried again. */
export async function expireUpload(
  db: Database,
  multipart: MultipartStore,
  { id, object_key, storage_upload_id }: OverdueUpload,
): Promise<void> {
  if (storage_upload_id) await multipart.abort(object_key, storage_upload_id);
  await markUploadExpired(db, id);
}

/**
 * Deletes the parts of a user who was suspended or left. Until then storage takes more at the addresses that were handed
 * out. The minute's cron does what fails.
 */
export async function expireUploadsOf(c: Context<AppEnv>, userId: number): Promise<void> {
  try {
    const { multipart } = openStorage(c.env);
    for (const upload of await overdueUploads(c.var.db, MOST_OF_A_USER, userId))
      await expireUpload(c.var.db, multipart, upload);
  } catch (error) {
    logLine("warn", "uploads_left_to_cron", { request_id: c.var.requestId, ...describeError(error) });
  }
}
