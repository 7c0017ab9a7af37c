import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { archiveIn } from "../../local/postgres/archive.ts";
import { UsageError } from "../arguments.ts";
import { isSegment, serverOf, serverOfSegment } from "./cluster.ts";
import { type Checksums, checksumOf, filesIn } from "./copying.ts";
import { BLOBS, blobPath } from "./objects.ts";

export const GENERATIONS = "backups";
const MANIFEST = "manifest.json";

interface Manifest {
  made_at: string;
  /** SHA-256 of the files in this generation's folder, by path. */
  files: Checksums;
  /** SHA-256 of objects' files, by name. Generations share them. */
  blobs: Checksums;
}

/** A backup's folder until all of it has reached the disk. */
export const draftName = (): string => `draft-${process.pid}`;

/** Names of complete backups, oldest first. A draft or a folder without a manifest was interrupted. */
export function generationsIn(backup: string): string[] {
  const folder = join(backup, GENERATIONS);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith("draft-") && existsSync(join(folder, name, MANIFEST)))
    .sort();
}

export const generationPath = (backup: string, name: string): string => join(backup, GENERATIONS, name);

/** Whether the newest backup is of another cluster. One that was made anew by `upgrade-database` is another, too. */
export function holdsOthersBackups(dataDir: string, backup: string): boolean {
  const newest = generationsIn(backup).at(-1);
  const saved = newest ? serverOf(generationPath(backup, newest)) : serverOfLog(backup);
  return Boolean(saved) && saved !== serverOf(dataDir);
}

/** A server archives its log before its first backup. */
function serverOfLog(backup: string): string | undefined {
  const archive = archiveIn(backup);
  const [first] = existsSync(archive) ? readdirSync(archive).filter(isSegment).sort() : [];
  return first && serverOfSegment(join(archive, first));
}

/** Says what to do if a directory takes neither backups nor the log, because it is of another cluster. */
export const adviceOnBackups = (dataDir: string, backupDir: string): string[] =>
  holdsOthersBackups(dataDir, backupDir)
    ? [
        `BACKUP_DIR is ${backupDir}, which belongs to another database, such as this one before it moved: nothing of this one is ` +
          "backed up there. Name a new directory in DATA_DIR/settings.env, and restart",
      ]
    : [];

export function readManifest(backup: string, name: string): Manifest {
  const path = join(generationPath(backup, name), MANIFEST);
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`Backup ${name} is damaged: ${path} cannot be read (${error})`);
  }
}

export const writeManifest = (folder: string, manifest: Manifest): void =>
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest)}\n`, { mode: 0o600 });

/**
 * Returns a name that sorts after all others. If the clock was set back since the newest backup, counts on from that
 * one.
 */
export function nextName(backup: string, madeAt: string): string {
  const name = madeAt.replaceAll(":", "-");
  const newest = generationsIn(backup).at(-1);
  if (newest === undefined || newest < name) return name;
  const [, future = newest, count = "0"] = /^(.*?)\++(\d*)$/.exec(newest) ?? [];
  return `${future}+${String(Number(count) + 1).padStart(6, "0")}`;
}

/** Removes interrupted backups, which would take the room of the next one. */
export function forgetInterrupted(backup: string): void {
  const whole = generationsIn(backup);
  const folder = join(backup, GENERATIONS);
  for (const name of readdirSync(folder))
    if (!whole.includes(name)) rmSync(join(folder, name), { recursive: true });
}

/** Removes all but the newest backups, interrupted ones, and objects' files that no backup names. */
export function forgetOlder(backup: string, keep: number): number {
  const newest = generationsIn(backup).slice(-keep);
  const folder = join(backup, GENERATIONS);
  const gone = readdirSync(folder).filter((name) => !newest.includes(name));
  for (const name of gone) rmSync(join(folder, name), { recursive: true });
  const named = new Set(newest.flatMap((name) => Object.keys(readManifest(backup, name).blobs)));
  for (const path of filesIn(join(backup, BLOBS)))
    if (!named.has(path.slice(path.indexOf("/") + 1))) rmSync(join(backup, BLOBS, path));
  return newest.length;
}

/** Removes the archived log from before the oldest backup, which nothing starts from. */
export function forgetLog(backup: string): void {
  const [oldest] = generationsIn(backup);
  const folder = oldest && join(generationPath(backup, oldest), "postgres/pg_wal");
  const [first] = folder && existsSync(folder) ? readdirSync(folder).filter(isSegment).sort() : [];
  if (!first || !existsSync(archiveIn(backup))) return;
  for (const name of readdirSync(archiveIn(backup)))
    if (isSegment(name) && name.slice(0, first.length) < first) rmSync(join(archiveIn(backup), name));
}

/** Reads everything of a backup and returns the files that are missing or changed. */
export async function damagedFiles(backup: string, name: string): Promise<string[]> {
  const { files, blobs } = readManifest(backup, name);
  const folder = join(GENERATIONS, name);
  const expected = [
    ...Object.entries(files).map(([path, checksum]) => [join(folder, path), checksum] as const),
    ...Object.entries(blobs).map(([file, checksum]) => [blobPath(file), checksum] as const),
  ];
  const damaged: string[] = [];
  for (const [path, checksum] of expected)
    if ((await checksumOf(join(backup, path))) !== checksum) damaged.push(path);
  return damaged;
}
