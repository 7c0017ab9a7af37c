import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";

/**
 * In namespaces of its own: no network but a loopback that is down, no other process, and of all files the program's own
 * directory, read-only. The second `unshare` leaves it no capability to undo any of that.
 */
const CONFINED =
  'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && root=$1 && shift && exec unshare --user --root="$root" "$@"';

const NAMESPACES = ["--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc"];

/** How to run a program that needs no library, before its arguments; it reads and writes what it is given, and nothing else. */
export const confinedCommand = (path: string): string[] => [
  ...["unshare", ...NAMESPACES, "--fork", "--kill-child"],
  ...["sh", "-c", CONFINED, "sh", dirname(path), `/${basename(path)}`],
];

const PATIENCE_MS = 10_000;

/** Whether the kernel, and whoever set it up, lets us: found out by doing it. */
export async function canConfine(path: string): Promise<boolean> {
  const [program = "", ...words] = [...confinedCommand(path), "-version"];
  return promisify(execFile)(program, words, { timeout: PATIENCE_MS }).then(
    ({ stdout }) => stdout.startsWith("ffmpeg version"),
    () => false,
  );
}
