import type { Database } from "../../../db/client.ts";
import type { MultipartStore, ObjectStore, UploadedPart } from "../../../db/objects/port.ts";
import { findUploadById, moveUpload, type UploadRow } from "../../../db/queries/uploads.ts";
import { conflict, invalid } from "../../lib/http/errors.ts";
import { partBytes } from "./limits.ts";

export interface SentPart {
  number: number;
  etag: string;
}

interface Stores {
  objects: ObjectStore;
  multipart: MultipartStore;
}

/** Joins the parts to one object. A repetition gets the same reply. */
export async function completeUpload(
  db: Database,
  stores: Stores,
  upload: UploadRow,
  sent: SentPart[],
): Promise<UploadRow> {
  if (isComplete(upload)) return upload;
  requireUnfinished(upload);
  return join(db, stores, upload, requireEveryPart(upload, sent));
}

const isComplete = ({ status }: UploadRow) => status === "ready" || status === "used";

function requireUnfinished({ status }: UploadRow): void {
  if (status !== "open" && status !== "completing") conflict(`The upload is ${status}`);
}

/** Compares parts with the stored ones before storage joins them, which cannot be undone. */
async function join(db: Database, stores: Stores, upload: UploadRow, parts: SentPart[]): Promise<UploadRow> {
  const { object_key, storage_upload_id } = upload;
  const stored = storage_upload_id ? await stores.multipart.parts(object_key, storage_upload_id) : [];
  // Storage forgets a completed upload. Then the object decides.
  if (stored) requireStored(upload, parts, stored);
  if (!(await moveUpload(db, upload.id, ["open", "completing"], "completing")))
    return findOutcome(db, upload);
  const outcome = await complete(stores, upload, parts);
  if (outcome === "invalid_parts") return conflict("Parts do not match the stored ones");
  if (outcome === "wrong_size") {
    const why = "storage received another size than announced";
    // Another request may have deleted the upload and its bytes before storage joined them.
    if (!(await moveUpload(db, upload.id, ["completing", "failed"], "failed", why)))
      return findOutcome(db, upload);
    // No track can use it, and no quota counts it.
    await stores.objects.deletePrefix("uploads", object_key);
    return invalid(`Storage received another size than the announced ${upload.size} bytes`);
  }
  return (await moveUpload(db, upload.id, ["completing", "ready"], "ready")) ?? findOutcome(db, upload);
}

/** Another request finished first, and its success counts for both. */
async function findOutcome(db: Database, upload: UploadRow): Promise<UploadRow> {
  const now = await findUploadById(db, upload.id);
  if (now && isComplete(now)) return now;
  return conflict(`The upload is ${now?.status ?? "gone"}`);
}

/** Checks that each part is listed once, in order. The error names missing parts. */
function requireEveryPart(upload: UploadRow, sent: SentPart[]): SentPart[] {
  const byNumber = new Map(sent.map((part) => [part.number, part]));
  if (byNumber.size !== sent.length) invalid("parts: a number appears twice");
  const parts: SentPart[] = [];
  const missing: number[] = [];
  for (let number = 1; number <= upload.part_count; number++) {
    const part = byNumber.get(number);
    if (part) parts.push(part);
    else missing.push(number);
  }
  if (missing.length) conflict(`Parts are missing: ${missing.join(", ")}`);
  if (sent.length > upload.part_count) invalid(`parts: the upload has ${upload.part_count} parts`);
  return parts;
}

async function complete({ objects, multipart }: Stores, upload: UploadRow, parts: SentPart[]) {
  const outcome = upload.storage_upload_id
    ? await multipart.complete(upload.object_key, upload.storage_upload_id, parts)
    : "invalid_parts";
  if (outcome === "invalid_parts") return outcome;
  // Checked even if storage has no such upload: an earlier completion may have lost its reply.
  const stored = await objects.head("uploads", upload.object_key);
  return stored?.size === upload.size ? "completed" : "wrong_size";
}

const unquoted = (etag: string) => etag.replaceAll('"', "");

/** Throws unless storage has the listed parts. */
function requireStored(upload: UploadRow, sent: SentPart[], stored: UploadedPart[]): void {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const missing = sent.filter(({ number }) => !byNumber.has(number)).map(({ number }) => number);
  if (missing.length) conflict(`Parts are missing: ${missing.join(", ")}`);
  const wrong = sent.filter(({ number, etag }) => {
    const part = byNumber.get(number);
    return unquoted(part?.etag ?? "") !== unquoted(etag) || part?.size !== partBytes(upload, number);
  });
  if (wrong.length)
    conflict(`Parts do not match the stored ones: ${wrong.map(({ number }) => number).join(", ")}`);
}
