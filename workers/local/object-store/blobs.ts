import { createHash, randomBytes } from "node:crypto";
import { createReadStream, mkdirSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Expected } from "./body.ts";
import { chunksOf } from "./body.ts";
import { refuse } from "./errors.ts";
import { shareRoom } from "./room.ts";

/** A file with one body: a whole object or one part. Its name reveals nothing of the key. */
export interface StoredBlob {
  readonly file: string;
  readonly size: number;
  readonly md5: string;
}

/** A range of one blob. `end` is inclusive, as in Range. */
export interface Slice {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

const READ_CHUNK_BYTES = 256 * 1024;

/** `room` tells how many bytes may be written. What is left belongs to the catalog, which needs it to delete. */
export function openBlobs(directory: string, room: () => number) {
  const claimRoom = shareRoom(room);
  const readers = new Map<string, number>();
  const doomed = new Set<string>();
  const pathOf = (file: string) => join(directory, file.slice(0, 2), file);

  for (let folder = 0; folder < 256; folder++) {
    mkdirSync(join(directory, folder.toString(16).padStart(2, "0")), { recursive: true });
  }

  /** Resolves when the bytes are durable. Removes the file on any failure. */
  async function receive(body: IncomingMessage, expected: Expected): Promise<StoredBlob> {
    const claim = claimRoom(expected.size) ?? refuse("InsufficientStorage", "The disk is full");
    try {
      return await write(body, expected, claim.wrote);
    } finally {
      claim.release();
    }
  }

  async function write(body: IncomingMessage, expected: Expected, wrote: (bytes: number) => void) {
    const file = randomBytes(16).toString("hex");
    const handle = await open(pathOf(file), "wx");
    try {
      const { md5 } = await writeBody(handle, body, expected, wrote);
      await handle.datasync();
      return { file, size: expected.size, md5 };
    } catch (error) {
      await rm(pathOf(file), { force: true });
      throw error;
    } finally {
      await handle.close();
    }
  }

  /** Records the blob and removes the files it replaces. If `record` throws, removes the blob instead. */
  async function keep(blob: StoredBlob, record: () => readonly string[]) {
    let replaced: readonly string[];
    try {
      replaced = record();
    } catch (error) {
      await discard([blob.file]);
      throw error;
    }
    await discard(replaced);
  }

  async function* read(slices: readonly Slice[]): AsyncGenerator<Buffer> {
    for (const { file } of slices) readers.set(file, (readers.get(file) ?? 0) + 1);
    try {
      for (const { file, start, end } of slices) {
        yield* createReadStream(pathOf(file), { start, end, highWaterMark: READ_CHUNK_BYTES });
      }
    } finally {
      for (const { file } of slices) release(file);
    }
  }

  function release(file: string) {
    const left = (readers.get(file) ?? 1) - 1;
    if (left > 0) return readers.set(file, left);
    readers.delete(file);
    if (doomed.delete(file)) rmSync(pathOf(file), { force: true });
  }

  /** Defers the removal of files in use, so that running downloads keep their bytes. */
  async function discard(files: readonly string[]) {
    for (const file of files) {
      if (readers.has(file)) doomed.add(file);
      else await rm(pathOf(file), { force: true });
    }
  }

  /** Removes files unknown to the catalog, which a killed process left. */
  function sweep(isKnown: (file: string) => boolean) {
    for (const folder of readdirSync(directory)) {
      for (const file of readdirSync(join(directory, folder))) {
        if (!isKnown(file)) rmSync(join(directory, folder, file), { force: true });
      }
    }
  }

  return { receive, keep, read, discard, sweep };
}

export type Blobs = ReturnType<typeof openBlobs>;

async function writeBody(
  handle: FileHandle,
  body: IncomingMessage,
  expected: Expected,
  wrote: (bytes: number) => void,
) {
  const md5 = createHash("md5");
  const sha256 = expected.sha256 === undefined ? undefined : createHash("sha256");
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    md5.update(chunk);
    sha256?.update(chunk);
    size += chunk.length;
    await handle.writeFile(chunk);
    wrote(chunk.length);
  }
  if (size !== expected.size) refuse("IncompleteBody", `Expected ${expected.size} bytes, got ${size}`);
  if (sha256?.digest("hex") !== expected.sha256)
    refuse("XAmzContentSHA256Mismatch", "The body does not match its signature");
  const digest = md5.digest();
  if (expected.md5 !== undefined && digest.toString("base64") !== expected.md5)
    refuse("BadDigest", "The body does not match Content-MD5");
  return { md5: digest.toString("hex") };
}
