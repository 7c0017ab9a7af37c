import type { Client } from "./client.ts";
import type { Schemas } from "./types.ts";
import { sendParts } from "./upload-parts.ts";
import { findSession, type UploadFile } from "./upload-session.ts";

export interface UploadOptions {
  /** The file's name. A `File` has one. */
  name?: string;
  /** Media type. The content decides later. */
  type?: string;
  /** Milliseconds since 1970, by which an interrupted upload is recognized. A `File` knows it. */
  lastModified?: number;
  /** Gets the bytes that storage has, or that are on the way, and the file's size. */
  onProgress?: (sent: number, size: number) => void;
  /** Stops. The session stays open, so that the same file goes on later. */
  signal?: AbortSignal;
  /** Parts that are sent at once, 3 by default. */
  parallel?: number;
}

/** Sends a file to storage, and goes on with an interrupted upload of the same file. The session becomes `ready`. */
export async function uploadFile(
  client: Client,
  file: Blob,
  options: UploadOptions = {},
): Promise<Schemas["Upload"]> {
  const { onProgress = () => {}, parallel = 3, signal = new AbortController().signal } = options;
  const session = await findSession(client, describe(file, options), signal);
  const path = { id: session.id };
  const work = {
    client,
    file,
    session,
    parallel,
    signal,
    onBytes: (sent: number) => onProgress(sent, file.size),
  };
  const parts = await sendParts(work);
  return client.post("/uploads/{id}/complete", { path, body: { parts }, signal });
}

/** Fields of the new track beside its file. */
export type TrackFields = Omit<Schemas["NewTrack"]["track"], "upload_id">;

/** Sends a file and makes a track of it, which is encoded from then on. */
export async function uploadTrack(
  client: Client,
  file: Blob,
  track: TrackFields,
  options: UploadOptions = {},
): Promise<Schemas["Track"]> {
  const upload = await uploadFile(client, file, options);
  const { signal } = options;
  return client.post("/tracks", {
    body: { track: { ...track, upload_id: upload.id } },
    ...(signal && { signal }),
  });
}

function describe(file: Blob, { name, type, lastModified }: UploadOptions): UploadFile {
  const known = file as Blob & { name?: string; lastModified?: number };
  return {
    filename: name ?? known.name ?? "audio",
    size: file.size,
    type: type ?? (file.type || "audio/mpeg"),
    last_modified: lastModified ?? known.lastModified,
  };
}
