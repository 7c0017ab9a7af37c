import type { Context } from "hono";
import type { Database } from "../../../db/client.ts";
import { openStorage } from "../../../db/objects/open.ts";
import type { MultipartStore } from "../../../db/objects/port.ts";
import { markUploadExpired, type OverdueUpload, overdueUploads } from "../../../db/queries/uploads.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { describeError, logLine } from "../../lib/http/log.ts";

/** Five may be open, and more may be ready. The cron deletes the rest. */
const MOST_OF_A_USER = 100;

/**
 * Deletes an overdue upload's parts. Deletes from storage first: a row with remaining parts stays listed and is
 * retried.
 */
export async function expireUpload(
  db: Database,
  multipart: MultipartStore,
  { id, object_key, storage_upload_id }: OverdueUpload,
): Promise<void> {
  if (storage_upload_id) await multipart.abort(object_key, storage_upload_id);
  await markUploadExpired(db, id);
}

/**
 * Deletes the parts of a suspended or deleted user. Until then storage accepts more at the issued URLs. The minute's
 * cron retries failures.
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
