import type { Client } from "./client.ts";
import type { Schemas } from "./types.ts";

export interface UploadFile {
  filename: string;
  size: number;
  type: string;
  last_modified: number | undefined;
}

/** Returns the open session of an interrupted upload with the parts that are stored, or a new one. */
export async function findSession(
  client: Client,
  file: UploadFile,
  signal: AbortSignal,
): Promise<Schemas["UploadWithParts"]> {
  const interrupted = await findInterrupted(client, file, signal);
  if (interrupted) return client.get("/uploads/{id}", { path: { id: interrupted }, signal });
  return { ...(await client.post("/uploads", { body: file, signal })), parts: [] };
}

/** A file is recognized by name, size and modification time. Without the time it could be another one. */
async function findInterrupted(
  client: Client,
  file: UploadFile,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (file.last_modified === undefined) return undefined;
  for await (const session of client.each("/uploads", { query: { status: "open" }, signal }))
    if (
      session.filename === file.filename &&
      session.size === file.size &&
      session.last_modified === file.last_modified
    )
      return session.id;
  return undefined;
}
