import type { Context } from "hono";
import type * as z from "zod";
import type { Database } from "../../../db/client.ts";
import { originalKey } from "../../../db/objects/keys.ts";
import { openStorage } from "../../../db/objects/open.ts";
import {
  findUploadById,
  moveUpload,
  openUpload,
  setStorageUploadId,
  type UploadRow,
} from "../../../db/queries/uploads.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { invalid, tooLarge, tooMany, unsupportedMediaType } from "../../lib/http/errors.ts";
import { sizeInWords } from "../../lib/text/size.ts";
import type { NewUpload } from "./input.ts";
import { MAX_OPEN_UPLOADS, MAX_UPLOAD_BYTES, partsOf } from "./limits.ts";
import { refuseOverQuota } from "./quota.ts";

/** Media types that browsers and clients send for audio. The content decides later. Storage gets them in a header. */
const AUDIO_TYPES =
  /^(?:audio\/[\w.+-]+|application\/(?:ogg|octet-stream)|video\/x-ms-(?:asf|wma)|video\/(?:mp4|ogg|3gpp2?|quicktime))(?:\s*;[\x20-\x7e]*)?$/i;

/** Seconds. A session may end soon and free its place. */
const RETRY_AFTER_OPEN_LIMIT_S = 60;

/** Inserts the row before calling storage, so that every upload in storage has an owner. */
export async function openUploadSession(
  c: Context<UserEnv>,
  asked: z.output<typeof NewUpload>,
): Promise<UploadRow> {
  if (asked.size <= 0) invalid("size: the file is empty");
  if (asked.size > MAX_UPLOAD_BYTES)
    tooLarge(`size: a file may have ${sizeInWords(MAX_UPLOAD_BYTES)} at most`);
  if (!AUDIO_TYPES.test(asked.type))
    unsupportedMediaType("type: must be an audio type, such as audio/flac, or application/octet-stream");
  const { partSize, partCount } = partsOf(asked.size);
  const upload = {
    filename: asked.filename,
    size: asked.size,
    type: asked.type,
    last_modified: asked.last_modified ?? null,
    part_size: partSize,
    part_count: partCount,
  };
  const key = originalKey(c.var.viewer.userId);
  const opening = await openUpload(c.var.db, c.var.viewer, upload, key, MAX_OPEN_UPLOADS);
  if (opening.outcome === "too_many") {
    return tooMany(
      `You have ${MAX_OPEN_UPLOADS} uploads open; finish or delete one first`,
      RETRY_AFTER_OPEN_LIMIT_S,
    );
  }
  if (opening.outcome === "over_quota") return refuseOverQuota("size", opening.quota);
  const isFirst = !c.get("idempotent")?.isRepetition;
  if (isFirst || (await isUnopened(c.var.db, opening.upload)))
    await openInStorage(c, opening.upload, isFirst);
  return opening.upload;
}

/** Whether the first request with this key ended before storage replied. */
async function isUnopened(db: Database, { id }: UploadRow): Promise<boolean> {
  const now = await findUploadById(db, id);
  return now?.status === "open" && now.storage_upload_id === null;
}

async function openInStorage(
  { env, var: { db } }: Context<UserEnv>,
  { id, object_key, type }: UploadRow,
  isFirst: boolean,
): Promise<void> {
  const { multipart } = openStorage(env);
  try {
    const storageUploadId = await multipart.create(object_key, type);
    const isTheOne = await setStorageUploadId(db, id, storageUploadId);
    if (!isTheOne) await multipart.abort(object_key, storageUploadId);
  } catch (error) {
    // The session is unusable and must not occupy one of the user's places for a day. A repetition may still open it.
    if (isFirst) await moveUpload(db, id, ["open"], "failed", "it could not be opened").catch(() => {});
    throw error;
  }
}
