import type { Context } from "hono";
import { openStorage } from "../../../db/objects/open.ts";
import type { UploadRow } from "../../../db/queries/uploads.ts";
import { formMemory } from "../../lib/http/body/form-memory.ts";
import { partsOf } from "../../lib/http/body/form-parts.ts";
import type { FormFile } from "../../lib/http/body/multipart.ts";
import { endedEarly } from "../../lib/http/body/read.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { invalid } from "../../lib/http/errors.ts";
import { completeUpload } from "./complete.ts";
import { mostHeld, StreamedObject } from "./object-stream.ts";
import { requireOpen } from "./parts.ts";

/** The file field of S3's form posts, and thus of Uppy 6. */
const FILE = "file";

/** A chunk of the file. Without `keep` it is valid only until the next one. */
type Chunk = Pick<FormFile, "keep"> & { bytes: Uint8Array };

export const receiveCompanionForm = (c: Context<AppEnv>, upload: UploadRow) =>
  receive(c, upload, fileInForm(c));

export const receiveCompanionFile = (c: Context<AppEnv>, upload: UploadRow) =>
  receive(c, upload, wholeBody(c));

async function* fileInForm(c: Context<AppEnv>): AsyncGenerator<Chunk> {
  let hasFile = false;
  for await (const part of partsOf(c)) {
    if (part.kind !== "file" || part.name !== FILE) continue;
    if (hasFile) invalid(`${FILE}: only one file is expected`);
    hasFile = true;
    for await (const bytes of part.content) yield { bytes, keep: part.keep };
  }
  if (!hasFile) invalid(`${FILE}: is missing`);
}

async function* wholeBody(c: Context<AppEnv>): AsyncGenerator<Chunk> {
  try {
    for await (const bytes of c.req.raw.body ?? []) yield { bytes, keep: () => {} };
  } catch {
    endedEarly();
  }
}

/** Streams the file into the upload's parts and completes it. A failed request can be repeated. */
async function receive(
  c: Context<AppEnv>,
  upload: UploadRow,
  chunks: AsyncGenerator<Chunk>,
): Promise<UploadRow> {
  const storage = openStorage(c.env);
  if (upload.status === "ready") {
    for await (const _ of chunks) {
      // An earlier reply would cut off a client that is still sending and never sees it.
    }
    return upload;
  }
  const { object_key, type, size } = upload;
  const opened = { uploadId: requireOpen(upload), partBytes: upload.part_size };
  const object = new StreamedObject(storage, object_key, type, size, opened);
  formMemory(c).hold(mostHeld(size, upload.part_size));
  try {
    for await (const { bytes, keep } of chunks) keep(await object.write(bytes));
    if (object.size !== size) invalid(`${FILE}: has ${object.size} bytes, not the announced ${size}`);
    return await completeUpload(c.var.db, storage, upload, await object.sendRest());
  } finally {
    await object.leave();
  }
}
