import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { preparedStatements } from "./prepared.ts";

/**
 * The catalog decides which objects exist; blobs are only bytes. Completing 4 GiB is one transaction that
 * moves no byte. A kill leaves either the old state or the new one.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS objects (
    id INTEGER PRIMARY KEY,
    bucket TEXT NOT NULL,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    etag TEXT NOT NULL,
    headers TEXT NOT NULL,
    modified_ms INTEGER NOT NULL,
    UNIQUE (bucket, key)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY,
    bucket TEXT NOT NULL,
    key TEXT NOT NULL,
    headers TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS uploads_by_key ON uploads (bucket, key, id);
  CREATE TABLE IF NOT EXISTS parts (
    upload TEXT NOT NULL REFERENCES uploads ON DELETE CASCADE,
    number INTEGER NOT NULL,
    file TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    md5 TEXT NOT NULL,
    modified_ms INTEGER NOT NULL,
    PRIMARY KEY (upload, number)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS pieces (
    object INTEGER NOT NULL REFERENCES objects ON DELETE CASCADE,
    first_byte INTEGER NOT NULL,
    last_byte INTEGER NOT NULL,
    file TEXT NOT NULL UNIQUE,
    PRIMARY KEY (object, first_byte)
  ) STRICT;`;

export const CATALOG = "catalog.sqlite";
/** A copy of the catalog, for backups. */
export const SNAPSHOT = "catalog.copy";

export function openCatalog(directory: string) {
  const database = new DatabaseSync(join(directory, CATALOG));
  // The exclusive lock keeps a second server off the folder. FULL: acknowledged writes survive a power cut.
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec(`PRAGMA foreign_keys = ON; ${SCHEMA}`);
  const sql = preparedStatements(database);

  function transaction<Result>(work: () => Result): Result {
    database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite rolls back by itself if the disk is full.
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Appears whole or never. */
  function copy(): void {
    const draft = join(directory, `${SNAPSHOT}.draft`);
    rmSync(draft, { force: true });
    try {
      database.prepare("VACUUM INTO ?").run(draft);
      renameSync(draft, join(directory, SNAPSHOT));
    } finally {
      // A full disk keeps half of it.
      rmSync(draft, { force: true });
    }
  }

  return { sql, transaction, copy, close: () => database.close() };
}

export type Catalog = ReturnType<typeof openCatalog>;
type Row = ReturnType<Catalog["sql"]["get"]>;

/** Safe while `T` matches the STRICT columns above, because SQLite enforces their types. */
export const rowAs = <T>(row: Row) => row as T | undefined;
export const rowsAs = <T>(rows: readonly unknown[]) => rows as readonly T[];

export const knowsFile = ({ sql }: Catalog, file: string) =>
  sql.get`SELECT 1 FROM parts WHERE file = ${file} UNION ALL SELECT 1 FROM pieces WHERE file = ${file}` !==
  undefined;
