import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { CATALOG, SNAPSHOT } from "../../local/object-store/catalog.ts";
import { isRunning, type ProcessIdentity } from "../../local/stack/processes.ts";
import { type Checksums, copyFile, flush } from "./copying.ts";

const SNAPSHOT_PATIENCE_MS = 60_000;
const TRIES = 5;

export const BLOBS = "blobs";
export const blobPath = (file: string): string => join(BLOBS, file.slice(0, 2), file);

type CopiedObjects = { blobs: Checksums; copied: number; bytes: number };

/** Asks the running object store for a copy of its catalog, which nobody else may open. */
async function askForCatalog(directory: string, store: ProcessIdentity): Promise<void> {
  rmSync(join(directory, SNAPSHOT), { force: true });
  // Checks the process first: copying the database takes a while, and another program may have its id by now.
  if (!isRunning(store)) throw new Error("The object store was started again meanwhile: try again");
  process.kill(store.pid, "SIGUSR2");
  for (
    const deadline = Date.now() + SNAPSHOT_PATIENCE_MS;
    !existsSync(join(directory, SNAPSHOT));
    await sleep(20)
  )
    if (Date.now() > deadline) throw new Error("The object store does not answer");
}

function copyStoppedCatalog(directory: string): void {
  rmSync(join(directory, SNAPSHOT), { force: true });
  const catalog = new DatabaseSync(join(directory, CATALOG));
  catalog.prepare("VACUUM INTO ?").run(join(directory, SNAPSHOT));
  catalog.close();
}

/**
 * Copies the catalog, then the files that it names and the backup lacks: files never change. `known` has the checksums of
 * earlier backups.
 */
export async function copyObjects(
  directory: string,
  to: { backup: string; catalog: string },
  known: Checksums,
  store: ProcessIdentity | undefined,
): Promise<CopiedObjects> {
  for (let tries = 1; ; tries++) {
    if (store) await askForCatalog(directory, store);
    else copyStoppedCatalog(directory);
    const copy = await copyNamed(directory, to.backup, known);
    if (copy) {
      // A copy, because a backup may be on another file system.
      await copyFile(join(directory, SNAPSHOT), to.catalog);
      rmSync(join(directory, SNAPSHOT));
      return copy;
    }
    // An object was replaced between the two copies.
    if (tries === TRIES) throw new Error("Files change faster than they are copied: try again");
  }
}

/** A copy that was cut off is shorter, so it is made again. */
const isWhole = (from: string, copy: string): boolean => {
  const size = statSync(copy, { throwIfNoEntry: false })?.size;
  return size !== undefined && size === (statSync(from, { throwIfNoEntry: false })?.size ?? size);
};

/** Replaces damaged copies, by their paths in the backup, if the original is still there. Other files are left. */
export async function copyAgain(directory: string, backup: string, damaged: string[]): Promise<void> {
  const copies = damaged.filter((one) => one.startsWith(`${BLOBS}/`));
  for (const path of copies) await copyFile(join(directory, path), join(backup, path));
  if (copies.length) flush(backup);
}

/** Returns `undefined` if a file is gone that an object needs. */
async function copyNamed(
  directory: string,
  backup: string,
  known: Checksums,
): Promise<CopiedObjects | undefined> {
  const catalog = new DatabaseSync(join(directory, SNAPSHOT), { readOnly: true });
  const named =
    catalog.prepare(`SELECT p.file, max(p.last_byte - p.first_byte + 1) AS size, true AS needed FROM pieces p GROUP BY 1
    UNION ALL SELECT file, size, false FROM parts WHERE file NOT IN (SELECT file FROM pieces)`);
  const result: CopiedObjects = { blobs: {}, copied: 0, bytes: 0 };
  try {
    for (const row of named.iterate()) {
      const [file, size] = [String(row.file), Number(row.size)];
      const path = blobPath(file);
      const earlier = isWhole(join(directory, path), join(backup, path)) ? known[file] : undefined;
      const checksum = earlier ?? (await copyFile(join(directory, path), join(backup, path)));
      if (!checksum && row.needed) return undefined;
      if (!checksum) continue; // a part of an upload that was given up meanwhile
      result.blobs[file] = checksum;
      if (earlier) continue;
      result.copied++;
      result.bytes += size;
    }
    return result;
  } finally {
    catalog.close();
  }
}
