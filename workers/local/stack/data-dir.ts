import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Bytes. PostgreSQL accepts paths of 1,023; files inside the directory need the rest. */
const MAX_PATH_BYTES = 900;

/** A file in it as long as a restore fills the directory. One that was killed leaves half of a backup. */
export const RESTORING = "restore-unfinished";

/** Subdirectories of the data directory. */
const FOLDERS = ["postgres", "objects", "logs", "mail", "worker"];

const REASONS: Record<string, string> = {
  EACCES: "this user has no permission for it",
  EPERM: "this user has no permission for it",
  EROFS: "it is on a read-only file system",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of this user is used up",
  ENOTDIR: "a part of the path is a file, not a directory",
  EEXIST: "something else is in its place",
  EISDIR: "it is a directory",
  ENOENT: "a part of the path is not there, and cannot be made",
  ENAMETOOLONG: "a name in it is too long",
  ELOOP: "its links go round in a circle",
};

const ELSEWHERE = "Mend that, or choose another directory: DATA_DIR=/a/path npm start";

/** Rewrites a file error as a sentence with the path and a remedy. Other errors pass unchanged. A write names no path. */
export function explainFileError(error: unknown, remedy = ELSEWHERE): Error {
  const { code = "", path } = error as NodeJS.ErrnoException;
  const reason = REASONS[code];
  const subject = path
    ? `${path} cannot be used`
    : /^E(?:NOSPC|DQUOT)$/.test(code) && "A file was not written";
  if (!(error instanceof Error) || !subject || !reason)
    return error instanceof Error ? error : new Error(String(error));
  return new Error(`${subject}: ${reason}. ${remedy}`, { cause: error });
}

/** Creates the directory if needed and returns its real path. Throws a readable error if it is unusable. */
export function openDataDir(path: string): string {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new Error(
      `DATA_DIR has ${Buffer.byteLength(path)} bytes, and PostgreSQL takes ${MAX_PATH_BYTES} at most. Choose a shorter path.`,
    );
  if ([...path].some((character) => character < " "))
    throw new Error(`DATA_DIR ${JSON.stringify(path)} holds a control character. Choose another path.`);
  try {
    refuseFile(path, "DATA_DIR");
    makeDirectory(path);
    const real = realpathSync(path);
    const half = halfRestored(real);
    if (half) throw new Error(half);
    for (const folder of FOLDERS) refuseFile(join(real, folder), "a directory of Soundpost's");
    refuseUnwritable(real);
    return real;
  } catch (error) {
    throw explainFileError(error);
  }
}

/** Says so if a restore into the directory was interrupted. */
export const halfRestored = (dataDir: string): string | undefined =>
  existsSync(join(dataDir, RESTORING))
    ? `${dataDir} holds half of a backup, because its restore was interrupted: restore it again`
    : undefined;

/** Avoids `recursive`: under a parent that accepts nothing, such as /proc, Node retries for ever. */
export function makeDirectory(path: string, mode = 0o700): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // A concurrent start may have created it.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function refuseFile(path: string, use: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  throw new Error(`${path}, meant for ${use}, is a file, not a directory. Move it away. ${ELSEWHERE}`);
}

/** Writes a file, because permission bits do not reveal read-only mounts and full disks. */
function refuseUnwritable(directory: string): void {
  const path = join(directory, `.written-${process.pid}`);
  try {
    const file = openSync(path, "w", 0o600);
    try {
      writeSync(file, Buffer.alloc(4096));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(error as Error, { code, path: directory });
  } finally {
    rmSync(path, { force: true });
  }
}
