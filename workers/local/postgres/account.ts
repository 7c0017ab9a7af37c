import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** The user to switch to, because Postgres refuses to run as root. */
export type Account = { uid: number; gid: number };

/** Returns the database's owner, `postgres` or `nobody` for root. `undefined` keeps the current user. */
export function serverAccount(databaseDir: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(databaseDir)) {
    const { uid, gid } = statSync(databaseDir);
    if (uid !== 0) return { uid, gid };
  }
  const account = named("postgres") ?? named("nobody");
  if (!account)
    throw new Error("Postgres cannot run as root, and there is no user `postgres` or `nobody` to run it as");
  return account;
}

function named(name: string): Account | undefined {
  const row = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((line) => line.startsWith(`${name}:`));
  const [, , uid, gid] = row?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

const READ_AND_ENTER = 0o5;
const ENTER = 0o1;

/** Reads mode bits only. An access list that grants more costs a needless copy, nothing else. */
function permits(path: string, account: Account, wanted: number): boolean {
  const { mode, uid, gid } = statSync(path);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return ((mode >> shift) & wanted) === wanted;
}

/** Whether the account may traverse every parent directory. */
export function mayEnter(directory: string, account: Account): boolean {
  for (let path = directory; ; path = dirname(path)) {
    if (!permits(path, account, ENTER)) return false;
    if (path === dirname(path)) return true;
  }
}

export const mayRead = (path: string, account: Account): boolean =>
  mayEnter(dirname(path), account) &&
  permits(path, account, statSync(path).isDirectory() ? READ_AND_ENTER : READ_AND_ENTER & ~ENTER);
