import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";

/** SHA-256 in hexadecimal, by path. */
export type Checksums = Record<string, string>;

/** Bytes. A cluster has a thousand small files, for which a stream costs more than the copy. */
const SMALL_BYTES = 256 * 1024;

/** Copies a file under a draft's name and returns its SHA-256. `undefined` if the source is gone. */
export async function copyFile(from: string, to: string): Promise<string | undefined> {
  const draft = `${to}.draft`;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const checksum = await checksumOf(from, draft);
  if (checksum) renameSync(draft, to);
  return checksum;
}

/** Returns the SHA-256 of a file, and copies it on the way. `undefined` if there is no such file. */
export async function checksumOf(path: string, to?: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    if (statSync(path).size <= SMALL_BYTES) {
      const content = readFileSync(path);
      if (to) writeFileSync(to, content, { mode: 0o600 });
      return hash.update(content).digest("hex");
    }
    const hashed = new PassThrough().on("data", (chunk) => hash.update(chunk));
    const target = to ? createWriteStream(to, { mode: 0o600 }) : new PassThrough().resume();
    await pipeline(createReadStream(path), hashed, target);
    return hash.digest("hex");
  } catch (error) {
    const { code, path: named = to } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    // Adds the path: the error of a full disk does not name it.
    throw Object.assign(error as Error, named && { path: named });
  }
}

/** Waits until everything written below a directory is on the disk. */
export const flush = (directory: string): Buffer => execFileSync("sync", ["--file-system", directory]);

/** Lists files below a directory. Files that vanish meanwhile are left out. */
export function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
}

/** Copies a tree, empty directories included, which PostgreSQL does not make again. */
export async function copyTree(
  from: string,
  to: string,
  isLeftOut: (path: string) => boolean = () => false,
): Promise<Checksums> {
  const checksums: Checksums = {};
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = relative(from, join(entry.parentPath, entry.name));
    if (entry.isDirectory()) mkdirSync(join(to, path), { recursive: true, mode: 0o700 });
    if (!entry.isFile() || isLeftOut(path)) continue;
    const checksum = await copyFile(join(from, path), join(to, path));
    if (checksum) checksums[path] = checksum;
  }
  return checksums;
}

export const under = (folder: string, checksums: Checksums): Checksums =>
  Object.fromEntries(Object.entries(checksums).map(([path, checksum]) => [join(folder, path), checksum]));
