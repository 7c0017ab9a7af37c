import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";

/**
 * Isolates a program in namespaces: no network, no other process, and only its own directory, read-only. The
 * second `unshare` drops every capability to undo this. 126: the program cannot run, as without its directory.
 */
const CONFINED =
  'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 126; root=$1; shift; exec unshare --user --root="$root" "$@"';

const NAMESPACES = ["--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc"];

/**
 * Returns the command prefix that isolates a static program. It can use the pipes that it inherits, nothing else.
 */
export const confinedCommand = (path: string): string[] => [
  "unshare",
  ...NAMESPACES,
  "--fork",
  "--kill-child",
  "sh",
  "-c",
  CONFINED,
  "sh",
  dirname(path),
  `/${basename(path)}`,
];

const PATIENCE_MS = 10_000;

/** Whether the kernel and its settings allow isolation. Tries it, because nothing else tells. */
export async function canConfine(path: string): Promise<boolean> {
  const [program = "", ...words] = [...confinedCommand(path), "-version"];
  return promisify(execFile)(program, words, { timeout: PATIENCE_MS }).then(
    ({ stdout }) => stdout.startsWith("ffmpeg version"),
    () => false,
  );
}
