import type { MultipartStore, UploadedPart } from "../../../db/objects/port.ts";
import type { UploadRow } from "../../../db/queries/uploads.ts";
import { conflict, invalid, unavailable } from "../../lib/http/errors.ts";
import { PART_URL_TTL_S, partBytes } from "./limits.ts";

/** URLs by part number. Each signs the exact length, one key and one method. */
export async function presignParts(
  multipart: MultipartStore,
  upload: UploadRow,
  numbers: number[],
): Promise<Record<string, string>> {
  requireOpen(upload);
  const beyond = numbers.filter((number) => number > upload.part_count);
  if (beyond.length) invalid(`numbers: the upload has ${upload.part_count} parts, not ${beyond.join(", ")}`);
  const signed = numbers.map(async (number) => [number, await presignPart(multipart, upload, number)]);
  return Object.fromEntries(await Promise.all(signed));
}

export async function presignPart(
  multipart: MultipartStore,
  upload: UploadRow,
  number: number,
): Promise<string> {
  const size = partBytes(upload, number);
  return multipart.presignPart(upload.object_key, requireOpen(upload), number, size, PART_URL_TTL_S);
}

/** Returns storage's id of an upload that still accepts parts. */
export function requireOpen(upload: UploadRow): string {
  if (upload.status !== "open" && upload.status !== "completing") conflict(`The upload is ${upload.status}`);
  return upload.storage_upload_id ?? unavailable("Storage did not open this upload; open another one");
}

/** Returns an empty list if storage has no parts or no such upload. */
export async function storedParts(multipart: MultipartStore, upload: UploadRow): Promise<UploadedPart[]> {
  if (upload.storage_upload_id === null) return [];
  return (await multipart.parts(upload.object_key, upload.storage_upload_id)) ?? [];
}
