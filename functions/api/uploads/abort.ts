import type { Database } from "../../../db/client.ts";
import type { MultipartStore, ObjectStore } from "../../../db/objects/port.ts";
import { moveUpload, type UploadRow } from "../../../db/queries/uploads.ts";
import { conflict } from "../../lib/http/errors.ts";

const ABORTABLE = ["open", "completing", "ready", "failed"] as const;

/** Updates the row first: no track can use an `aborted` upload, so its bytes may be deleted. Repeating is harmless. */
export async function abortUpload(
  db: Database,
  { objects, multipart }: { objects: ObjectStore; multipart: MultipartStore },
  upload: UploadRow,
): Promise<void> {
  if (upload.status === "expired") return;
  const aborted = await moveUpload(db, upload.id, [...ABORTABLE, "aborted"], "aborted");
  if (!aborted) conflict("The upload has become a track");
  if (upload.storage_upload_id) await multipart.abort(upload.object_key, upload.storage_upload_id);
  await objects.deletePrefix("uploads", upload.object_key);
}
