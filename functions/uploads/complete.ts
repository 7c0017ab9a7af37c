import type { Database } from "../../db/client.ts";
import type { MultipartStore, ObjectStore } from "../../db/objects/port.ts";
import { findUploadById, moveUpload, type UploadRow } from "../../db/queries/uploads.ts";
import { conflict, invalid } from "../http/errors.ts";
import { partBytes } from "./limits.ts";
import { storedParts } from "./parts.ts";

interface Stores {
  objects: ObjectStore;
  multipart: MultipartStore;
}

type SentPart = { number: number; etag: string };

/** Joins the parts to one object. A repetition replies the same. */
export async function completeUpload(
  db: Database,
  stores: Stores,
  upload: UploadRow,
  sent: SentPart[],
): Promise<UploadRow> {
  if (upload.status === "ready" || upload.status === "used") return upload;
  if (upload.status !== "open" && upload.status !== "completing")
    return conflict(`The upload is ${upload.status}`);
  const parts = requireEveryPart(upload, sent);
  if (!(await moveUpload(db, upload.id, ["open", "completing"], "completing")))
    return findOutcome(db, upload);
  const outcome = await complete(stores, upload, parts);
  if (outcome === "invalid_parts") return conflict(await describeUnfit(stores.multipart, upload, parts));
  if (outcome === "wrong_size") {
    await moveUpload(db, upload.id, ["completing"], "failed", "storage received another size than announced");
    return invalid(`Storage received another size than the announced ${upload.size} bytes`);
  }
  return (await moveUpload(db, upload.id, ["completing", "ready"], "ready")) ?? findOutcome(db, upload);
}

/** Another request finished first, and its success counts for both. */
async function findOutcome(db: Database, upload: UploadRow): Promise<UploadRow> {
  const now = await findUploadById(db, upload.id);
  if (now?.status === "ready" || now?.status === "used") return now;
  return conflict(`The upload is ${now?.status ?? "gone"}`);
}

/** Checks that each part was sent once, in order. The error names missing parts. */
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

async function describeUnfit(
  multipart: MultipartStore,
  upload: UploadRow,
  parts: SentPart[],
): Promise<string[]> {
  const stored = await storedParts(multipart, upload);
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const missing = parts.filter(({ number }) => !byNumber.has(number)).map(({ number }) => number);
  if (missing.length) return [`Parts are missing: ${missing.join(", ")}`];
  const wrong = parts.filter(({ number, etag }) => {
    const part = byNumber.get(number);
    return unquoted(part?.etag ?? "") !== unquoted(etag) || part?.size !== partBytes(upload, number);
  });
  return [`Parts do not match the stored ones: ${wrong.map(({ number }) => number).join(", ")}`];
}

const unquoted = (etag: string) => etag.replaceAll('"', "");
