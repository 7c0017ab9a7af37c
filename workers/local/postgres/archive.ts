import { chmodSync, chownSync } from "node:fs";
import { join, resolve } from "node:path";
import { explainFileError, makeDirectory } from "../stack/data-dir.ts";
import { mayEnter, serverAccount } from "./account.ts";

/** Seconds after which the log of a quiet server is archived, too: what a loss costs at most. */
const ARCHIVE_EACH_S = 300;

/** The archive of the log, beside the copies of a backup directory. */
export const archiveIn = (backupDir: string): string => join(backupDir, "wal");

const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;

/** In PostgreSQL's own commands a percent sign is written twice. */
const inCommand = (path: string) => quoted(path).replaceAll("%", "%%");

/**
 * Settings by which the server copies its log to the archive, compressed, because segments are mostly empty. A segment of the same
 * name is left if it is the same, and otherwise fails, so that two servers never mix. The log stays until its copy is there.
 */
export function archiveSettings(dataDir: string, backupDir: string): Record<string, string> {
  const archive = archiveIn(resolve(backupDir));
  prepareArchive(dataDir, archive);
  const to = inCommand(archive);
  const command =
    `if test -f ${to}/%f.gz; then gzip -dc ${to}/%f.gz | cmp -s - %p; ` +
    `else gzip -1 < %p > ${to}/%f.draft && sync ${to}/%f.draft && mv ${to}/%f.draft ${to}/%f.gz; fi`;
  return { archive_mode: "on", archive_timeout: String(ARCHIVE_EACH_S), archive_command: command };
}

function prepareArchive(dataDir: string, archive: string): void {
  const account = serverAccount(join(dataDir, "postgres"));
  try {
    // PostgreSQL's user has to pass through.
    makeDirectory(archive, 0o755);
    if (account) chownSync(archive, account.uid, account.gid);
    chmodSync(archive, 0o700);
  } catch (error) {
    throw explainFileError(error, remedyFor(error));
  }
  if (account && !mayEnter(join(archive, ".."), account))
    throw new Error(
      `The user that PostgreSQL runs as (uid ${account.uid}) cannot enter BACKUP_DIR, so the log cannot be archived there: ` +
        `let others pass through the directories above ${archive} (chmod o+x)`,
    );
}

/** A unit of systemd opens the directories of the time when it was written. */
const remedyFor = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === "EROFS"
    ? "If a unit of systemd runs the service, write it anew: npm run -s admin -- service --unit. Else name another directory in BACKUP_DIR"
    : "Mend that, or name another directory in BACKUP_DIR";
