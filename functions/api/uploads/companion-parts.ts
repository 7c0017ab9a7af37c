import type { Database } from "../../../db/client.ts";
import type { Storage } from "../../../db/objects/open.ts";
import { findUploadById, replanUpload, type UploadRow } from "../../../db/queries/uploads.ts";
import { conflict, invalid } from "../../lib/http/errors.ts";
import { abortUpload } from "./abort.ts";
import { uppyPartsOf } from "./limits.ts";
import { presignPart, requireOpen, storedParts } from "./parts.ts";

/**
 * Changes the session to Uppy's part size. Storage then opens another upload and forgets the first, so that URLs of
 * both sizes never work side by side: together they would accept more than the announced bytes.
 */
export async function planForUppy(
  db: Database,
  { multipart }: Storage,
  upload: UploadRow,
): Promise<UploadRow> {
  const before = requireOpen(upload);
  const plan = uppyPartsOf(upload.size);
  if (upload.part_count === plan.partCount) return upload;
  const storageUploadId = await multipart.create(upload.object_key, upload.type);
  const planned = await replanUpload(db, upload.id, before, { ...plan, storageUploadId });
  await multipart.abort(upload.object_key, planned ? before : storageUploadId);
  if (planned) return planned;
  // Uppy requests several parts at once, and another request came first.
  const now = await findUploadById(db, upload.id);
  return now?.part_count === plan.partCount ? now : conflict(`The upload is ${now?.status ?? "gone"}`);
}

/** Ends a session whose stored parts exceed the announced size. */
export async function presignUppyPart(
  db: Database,
  storage: Storage,
  found: UploadRow,
  number: number,
): Promise<string> {
  const upload = await planForUppy(db, storage, found);
  if (number > upload.part_count) invalid(`number: the upload has ${upload.part_count} parts`);
  const stored = await storedParts(storage.multipart, upload);
  const bytes = stored.reduce((sum, { size }) => sum + size, 0);
  if (bytes > upload.size) {
    await abortUpload(db, storage, upload);
    conflict(`The upload holds ${bytes} bytes, not the announced ${upload.size}, and was ended`);
  }
  return presignPart(storage.multipart, upload, number);
}
