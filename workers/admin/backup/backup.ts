import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BACKUP_LOCK } from "../../../db/queries/garbage.ts";
import { makeDirectory } from "../../local/stack/data-dir.ts";
import { connect } from "../../local/stack/own-database.ts";
import { lockDataDir, type StackRecord, stopRemains } from "../../local/stack/record.ts";
import { UsageError } from "../arguments.ts";
import { copyRunningCluster, copyStoppedCluster } from "./cluster.ts";
import { type Checksums, checksumOf, copyFile, copyTree, flush, under } from "./copying.ts";
import {
  draftName,
  forgetInterrupted,
  forgetLog,
  forgetOlder,
  GENERATIONS,
  generationsIn,
  nextName,
  readManifest,
  writeManifest,
} from "./generations.ts";
import { BLOBS, copyObjects } from "./objects.ts";

/** Files that are kept besides the database and the objects, because they cannot be made again. */
const FILES = ["secrets.json", "settings.env", "demo.json"];
export const CATALOG_COPY = "catalog.sqlite";

type Asked = { dataDir: string; to: string; keep: number; running: StackRecord | undefined };

/**
 * Makes a backup in a folder of its own that shares unchanged objects with earlier backups. It copies the database
 * first and stops the sweep meanwhile, so every object that the database names is in the copy.
 */
export async function makeBackup({ dataDir, to, keep, running }: Asked): Promise<Record<string, unknown>> {
  const startedAt = Date.now();
  for (const folder of [GENERATIONS, BLOBS]) makeDirectory(join(to, folder));
  const release = running ? await holdSweeps(running.databaseUrl) : await holdStart(dataDir);
  const draft = join(to, GENERATIONS, draftName());
  try {
    forgetInterrupted(to);
    const earlier = generationsIn(to);
    const known: Checksums = Object.assign({}, ...earlier.map((name) => readManifest(to, name).blobs));
    const files: Checksums = {};
    const cluster = join(draft, "postgres");
    let made_at = new Date().toISOString();
    const copyPlays = async () => {
      made_at = new Date().toISOString();
      // Copies twice, because a file that is renamed during the first copy has its new name in the second.
      for (let copies = 0; copies < 2; copies++)
        Object.assign(files, await copyFolder("plays", dataDir, draft));
    };
    if (!running) await copyPlays();
    const copied = running
      ? await copyRunningCluster(dataDir, cluster, running.databaseUrl, copyPlays)
      : await copyStoppedCluster(dataDir, cluster);
    Object.assign(files, under("postgres", copied));
    const catalog = join(draft, CATALOG_COPY);
    const places = { backup: to, catalog };
    const objects = await copyObjects(join(dataDir, "objects"), places, known, running?.children.objects);
    files[CATALOG_COPY] = (await checksumOf(catalog)) ?? "";
    for (const name of FILES.filter((one) => existsSync(join(dataDir, one))))
      files[name] = (await copyFile(join(dataDir, name), join(draft, name))) ?? "";
    Object.assign(files, await copyFolder("mail", dataDir, draft));
    writeManifest(draft, { made_at, files, blobs: objects.blobs });
    const name = nextName(to, made_at);
    flush(to);
    renameSync(draft, join(to, GENERATIONS, name));
    const generations = forgetOlder(to, keep);
    forgetLog(to);
    return {
      backup: to,
      name,
      made_at,
      kept: generations,
      files: Object.keys(files).length,
      objects: Object.keys(objects.blobs).length,
      copied_objects: objects.copied,
      copied_bytes: objects.bytes,
      seconds: (Date.now() - startedAt) / 1000,
    };
  } finally {
    rmSync(draft, { recursive: true, force: true });
    await release();
  }
}

/** Copies a folder that a server may lack. */
const copyFolder = async (name: string, from: string, to: string): Promise<Checksums> =>
  existsSync(join(from, name)) ? under(name, await copyTree(join(from, name), join(to, name))) : {};

/** Keeps the sweep from deleting objects. Ends with this process at the latest. */
async function holdSweeps(connectionString: string): Promise<() => Promise<void>> {
  const client = await connect(connectionString);
  const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS ours", [BACKUP_LOCK]);
  if (rows[0].ours) return () => client.end();
  await client.end();
  throw new UsageError("Another backup of this server is being made");
}

/** Keeps a stopped stack stopped. A killed one may have left its database running. */
async function holdStart(dataDir: string): Promise<() => Promise<void>> {
  const lock = await lockDataDir(dataDir).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  await stopRemains(dataDir);
  return async () => lock.release();
}
