import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { type Account, mayEnter } from "./account.ts";

/** Home of the database for root, if its Postgres user cannot reach the data directory. */
export const SHARED_DIR = "/var/lib/soundpost";

/**
 * Returns `DATA_DIR/postgres`. If the account cannot reach it, returns a directory below /var/lib/soundpost
 * and links it.
 */
export function databaseDir(dataDir: string, account: Account | undefined): string {
  const usual = join(realpathSync(dataDir), "postgres");
  if (lstatSync(usual, { throwIfNoEntry: false })?.isSymbolicLink()) return realpathSync(usual);
  if (!account) return usual;
  // Allows passing through. The files inside stay private by their own modes.
  chmodSync(dataDir, statSync(dataDir).mode | 0o001);
  if (mayEnter(realpathSync(dataDir), account)) return usual;
  if (existsSync(usual)) {
    throw new Error(
      `The user that Postgres runs as (uid ${account.uid}) cannot enter ${dataDir}. Let others pass through the directories ` +
        "above it (chmod o+x), or choose another directory: DATA_DIR=/a/path npm start",
    );
  }
  mkdirSync(SHARED_DIR, { recursive: true, mode: 0o755 });
  const name = createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 12);
  const elsewhere = mkdtempSync(join(SHARED_DIR, `${name}-`));
  chmodSync(elsewhere, 0o711);
  symlinkSync(join(elsewhere, "postgres"), usual);
  return join(elsewhere, "postgres");
}
