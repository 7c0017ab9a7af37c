import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Account, mayEnter } from "./account.ts";
import { finishUpgrade } from "./upgrade-places.ts";

/** Home of the database for root, if its Postgres user cannot reach the data directory. */
export const SHARED_DIR = "/var/lib/soundpost";

/** A file beside the database that names its data directory. */
const OWNER = "data-directory";

/**
 * Returns `DATA_DIR/postgres`. If the account cannot reach it, returns a directory below /var/lib/soundpost
 * and links it.
 */
export function databaseDir(dataDir: string, account: Account | undefined): string {
  const usual = join(realpathSync(dataDir), "postgres");
  const isLink = lstatSync(usual, { throwIfNoEntry: false })?.isSymbolicLink();
  finishUpgrade(isLink ? readlinkSync(usual) : usual);
  if (isLink) {
    const database = realpathSync(usual);
    claim(database, usual);
    return database;
  }
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
  const database = join(elsewhere, "postgres");
  symlinkSync(database, usual);
  claim(database, usual);
  return database;
}

/**
 * Records which data directory links to the database. Throws if another directory still does, because this one is a
 * copy of it.
 */
function claim(database: string, link: string): void {
  // A link to any other place is the operator's own.
  if (!database.startsWith(`${SHARED_DIR}/`)) return;
  const note = join(dirname(database), OWNER);
  const owner = existsSync(note) ? readFileSync(note, "utf8").trim() : link;
  if (owner !== link && existsSync(owner) && realpathSync(owner) === database)
    throw new Error(
      `${dirname(link)} is a copy of ${dirname(owner)}, but the database is not: both link to ${database}. ` +
        "Make a backup and restore it instead: npm run admin -- backup",
    );
  writeFileSync(note, `${link}\n`);
}
