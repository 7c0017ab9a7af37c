import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { connect } from "../../local/stack/own-database.ts";
import { type Checksums, checksumOf, copyFile, copyTree } from "./copying.ts";

/**
 * Left out: PostgreSQL recreates them, or they belong to the running server.
 * postgresql.org/docs/current/continuous-archiving.html
 */
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|pg_internal\.init.*|(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|restored_wal)\/.*|.*\/pgsql_tmp.*)$/;

/** A segment of the log, perhaps archived: its timeline, then its place. Others are histories of timelines, which are small. */
export const isSegment = (name: string): boolean => /^[0-9A-F]{24}(?:\.gz)?$/.test(name);

/** Bytes at the start of pg_control: the identifier that `initdb` gives a cluster, which its copies share. */
const IDENTIFIER_BYTES = 8;

/** Returns the identifier of the cluster in a data directory or backup. `undefined` if the file is missing. */
export function serverOf(directory: string): string | undefined {
  const control = join(directory, "postgres/global/pg_control");
  return existsSync(control) ? readFileSync(control).toString("hex", 0, IDENTIFIER_BYTES) : undefined;
}

/** Byte of a segment of the log at which the same begins: XLogLongPageHeaderData of PostgreSQL's xlog_internal.h. */
const IDENTIFIER_IN_LOG_AT = 24;

/** Returns the identifier of the cluster whose archived segment it is. `undefined` if the copy is damaged. */
export function serverOfSegment(path: string): string | undefined {
  try {
    const log = gunzipSync(readFileSync(path));
    return log.toString("hex", IDENTIFIER_IN_LOG_AT, IDENTIFIER_IN_LOG_AT + IDENTIFIER_BYTES);
  } catch {
    return undefined;
  }
}

/**
 * Copies the files of a running server. The log of the meantime makes the copy consistent, as after a crash: it then
 * holds everything committed when the copy ended. `beforeEnd` copies files that vanish once the database has their
 * content.
 */
export async function copyRunningCluster(
  dataDir: string,
  to: string,
  databaseUrl: string,
  beforeEnd: () => Promise<void>,
): Promise<Checksums> {
  const directory = realpathSync(join(dataDir, "postgres"));
  // The functions of a backup are granted in this database.
  const url = new URL(databaseUrl);
  url.pathname = "/postgres";
  const client = await connect(url.href);
  try {
    const ask = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows[0];
    // Keeps the log from being recycled until this session ends.
    await ask("SELECT pg_create_physical_replication_slot($1, true, true)", [`backup_${process.pid}`]);
    const begun = await ask("SELECT pg_walfile_name(pg_backup_start('soundpost', fast => true)) AS segment");
    const checksums = await copyTree(directory, to, (path) => LEFT_OUT.test(path));
    await beforeEnd();
    const ended = await ask(
      "SELECT pg_walfile_name(lsn) AS segment, labelfile FROM pg_backup_stop(wait_for_archive => false)",
    );
    writeFileSync(join(to, "backup_label"), ended.labelfile, { mode: 0o600 });
    checksums.backup_label = (await checksumOf(join(to, "backup_label"))) ?? "";
    mkdirSync(join(to, "pg_wal"), { recursive: true, mode: 0o700 });
    const isNeeded = (name: string) => isSegment(name) && name >= begun.segment && name <= ended.segment;
    for (const name of readdirSync(join(directory, "pg_wal")).filter(isNeeded)) {
      const path = join("pg_wal", name);
      checksums[path] = (await copyFile(join(directory, path), join(to, path))) ?? "";
    }
    return checksums;
  } finally {
    await client.end();
  }
}

/** Copies the files of a server that was stopped in order. */
export const copyStoppedCluster = (dataDir: string, to: string): Promise<Checksums> =>
  copyTree(realpathSync(join(dataDir, "postgres")), to, (path) => /^postmaster\.(?:pid|opts)$/.test(path));
