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

/** Where root keeps what Postgres, run as another user, could not reach below a closed directory such as /root. */
export const SHARED_DIR = "/var/lib/soundpost";

/**
 * The directory the database lives in: `DATA_DIR/postgres`, or, when the account may not come that far,
 * a directory below /var/lib/soundpost that `DATA_DIR/postgres` then links to.
 */
export function databaseDir(dataDir: string, account: Account | undefined): string {
  const usual = join(realpathSync(dataDir), "postgres");
  if (lstatSync(usual, { throwIfNoEntry: false })?.isSymbolicLink()) return realpathSync(usual);
  if (!account) return usual;
  // Ours to open: passing through shows nothing, for the files in it are private each by itself.
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
