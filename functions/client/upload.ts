import type { Client } from "./client.ts";
import type { Schemas } from "./types.ts";
import { sendParts } from "./upload-parts.ts";
import { findSession, type UploadFile } from "./upload-session.ts";

export interface UploadOptions {
  /** The file's name. A `File` has one. */
  name?: string;
  /** Media type, as a hint: the content decides. */
  type?: string;
  /** Milliseconds since 1970. Identifies an interrupted upload. A `File` has it. */
  lastModified?: number;
  /** Called with the bytes that are stored or in transit, and the file's size. */
  onProgress?: (sent: number, size: number) => void;
  /** Aborts. The session stays open, so that the same file can be resumed. */
  signal?: AbortSignal;
  /** Parts that are sent at once, 3 by default. */
  parallel?: number;
}

/** Uploads a file, or resumes an interrupted upload of the same file. The session becomes `ready`. */
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

/** Fields of the new track other than its file. */
export type TrackFields = Omit<Schemas["NewTrack"]["track"], "upload_id">;

/** Uploads a file and creates a track from it. Encoding starts at once. */
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
