import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CATALOG } from "../../local/object-store/catalog.ts";
import { serverAccount } from "../../local/postgres/account.ts";
import { databaseDir } from "../../local/postgres/location.ts";
import { makeDirectory, RESTORING } from "../../local/stack/data-dir.ts";
import { lockDataDir } from "../../local/stack/record.ts";
import { UsageError } from "../arguments.ts";
import { CATALOG_COPY } from "./backup.ts";
import { copyFile, flush } from "./copying.ts";
import { GENERATIONS, readManifest } from "./generations.ts";
import { blobPath } from "./objects.ts";
import { hasArchive, recover } from "./recovery.ts";

/** PostgreSQL needs them, and they hold no file of a backup. */
const EMPTY_FOLDERS = (
  "pg_wal/archive_status pg_replslot pg_dynshmem pg_notify pg_serial pg_snapshots pg_stat pg_stat_tmp pg_subtrans " +
  "pg_tblspc pg_twophase pg_commit_ts pg_logical/mappings pg_logical/snapshots"
).split(" ");

interface Asked {
  from: string;
  name: string;
  /** The backup whose objects are restored: with `until` the next one, as that has what came meanwhile. */
  objectsOf?: string;
  /** Replays the archived log up to this time. */
  until?: Date;
}

/**
 * Fills a directory that is empty or holds an interrupted restore, and checks each file while copying. Leaves
 * nothing behind if a file is damaged.
 */
export async function restore(
  { from, name, objectsOf = name, until }: Asked,
  dataDir: string,
): Promise<Record<string, unknown>> {
  const startedAt = Date.now();
  const { made_at, files } = readManifest(from, name);
  const objects = readManifest(from, objectsOf);
  makeDirectory(dataDir);
  const lock = await lockDataDir(dataDir).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  const account = serverAccount(join(dataDir, "postgres"));
  const copy = async (path: string, to: string, expected: string) => {
    if ((await copyFile(join(from, path), to)) !== expected)
      throw new UsageError(`The backup is damaged, nothing was restored: ${path} is missing or changed`);
  };
  try {
    empty(dataDir);
    writeFileSync(join(dataDir, RESTORING), "");
    // Inside a closed home directory the database lives elsewhere, reachable for PostgreSQL's account, behind a link.
    const cluster = databaseDir(dataDir, account);
    const place = (path: string): string => {
      if (path.startsWith("postgres/")) return join(cluster, path.slice("postgres/".length));
      return join(dataDir, path === CATALOG_COPY ? join("objects", CATALOG) : path);
    };
    for (const [path, checksum] of Object.entries(files))
      if (path !== CATALOG_COPY) await copy(join(GENERATIONS, name, path), place(path), checksum);
    await copy(
      join(GENERATIONS, objectsOf, CATALOG_COPY),
      place(CATALOG_COPY),
      objects.files[CATALOG_COPY] ?? "",
    );
    for (const [file, checksum] of Object.entries(objects.blobs))
      await copy(blobPath(file), join(dataDir, "objects", blobPath(file)), checksum);
    for (const folder of EMPTY_FOLDERS) mkdirSync(join(cluster, folder), { recursive: true, mode: 0o700 });
    if (account) execFileSync("chown", ["-R", `${account.uid}:${account.gid}`, cluster]);
    if (hasArchive(from)) await recover(from, dataDir, until);
    // The cluster may be on another file system.
    for (const directory of [cluster, dataDir]) flush(directory);
    rmSync(join(dataDir, RESTORING));
    const seconds = (Date.now() - startedAt) / 1000;
    return {
      restored: dataDir,
      name,
      made_at,
      ...(until && { until: until.toISOString() }),
      files: Object.keys(files).length,
      seconds,
    };
  } catch (error) {
    empty(dataDir);
    throw error;
  } finally {
    lock.release();
  }
}

/** Removes what the directory holds, and a database that lives elsewhere. */
function empty(dataDir: string): void {
  const database = join(dataDir, "postgres");
  if (existsSync(database)) rmSync(realpathSync(database), { recursive: true });
  for (const left of readdirSync(dataDir)) rmSync(join(dataDir, left), { recursive: true });
}
