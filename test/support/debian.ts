import { type ExecFileOptions, execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Files that install beside each other take turns: apt itself waits for dpkg's lock alone, and fails on its others. */
const apt = (words: string[], options: ExecFileOptions = {}) =>
  run(
    "flock",
    ["/etc/debian_version", "apt-get", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3", ...words],
    options,
  );

/** Whether a command succeeds. */
export const succeeds = (command: string, ...words: string[]): Promise<boolean> =>
  run(command, words).then(
    () => true,
    () => false,
  );

/** Installs a package as root on a bare machine, as in CI. Elsewhere fails with the command to run. */
export async function requirePackage(
  name: string,
  { purpose, isInstalled }: { purpose: string; isInstalled: () => Promise<boolean> },
): Promise<void> {
  if (await isInstalled()) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get"))
    for (const words of [["update"], ["install", "-y", "--no-install-recommends", name]])
      await apt(words, { env });
  if (!(await isInstalled())) throw new Error(`This test needs ${purpose}: sudo apt-get install ${name}`);
}

/** Unpacks a package's files into a directory. Nothing is installed, so none of its services starts. */
export async function unpackPackage(name: string, directory: string): Promise<void> {
  const fetchIt = () => apt(["download", name], { cwd: directory });
  await fetchIt().catch(() => apt(["update"]).then(fetchIt));
  const [file = ""] = readdirSync(directory).filter((one) => one.endsWith(".deb"));
  await run("dpkg-deb", ["-x", join(directory, file), directory]);
}
