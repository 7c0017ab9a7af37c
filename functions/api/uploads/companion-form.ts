import type { Context } from "hono";
import { openStorage } from "../../../db/objects/open.ts";
import type { UploadRow } from "../../../db/queries/uploads.ts";
import { formMemory } from "../../lib/http/body/form-memory.ts";
import { partsOf } from "../../lib/http/body/form-parts.ts";
import type { FormFile } from "../../lib/http/body/multipart.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { invalid } from "../../lib/http/errors.ts";
import { completeUpload } from "./complete.ts";
import { mostHeld, StreamedObject } from "./object-stream.ts";
import { requireOpen } from "./parts.ts";

/** The file field of S3's form posts, and thus of Uppy. */
const FILE = "file";

/** Streams the form's file into the upload's parts and completes it. A failed request can be repeated. */
export async function receiveCompanionForm(c: Context<AppEnv>, upload: UploadRow): Promise<UploadRow> {
  const storage = openStorage(c.env);
  if (upload.status === "ready") {
    for await (const _ of partsOf(c)) {
      // An earlier reply would cut off a client that is still sending and never sees it.
    }
    return upload;
  }
  const { object_key, type, size } = upload;
  const opened = { uploadId: requireOpen(upload), partBytes: upload.part_size };
  const object = new StreamedObject(storage, object_key, type, size, opened);
  try {
    let hasFile = false;
    for await (const part of partsOf(c)) {
      if (part.kind !== "file" || part.name !== FILE) continue;
      if (hasFile) invalid(`${FILE}: only one file is expected`);
      hasFile = true;
      formMemory(c).hold(mostHeld(size, upload.part_size));
      await store(part, object);
    }
    if (!hasFile) invalid(`${FILE}: is missing`);
    if (object.size !== size) invalid(`${FILE}: has ${object.size} bytes, not the announced ${size}`);
    return await completeUpload(c.var.db, storage, upload, await object.sendRest());
  } finally {
    await object.leave();
  }
}

async function store(file: FormFile, object: StreamedObject): Promise<void> {
  for await (const chunk of file.content) file.keep(await object.write(chunk));
}
