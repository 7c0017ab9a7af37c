import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const PACKAGE = "libopenapi-client-perl";
const APT = ["-o", "DPkg::Lock::Timeout=300"];
const INSTALL = [
  [...APT, "update"],
  [...APT, "install", "-y", "--no-install-recommends", PACKAGE],
];

/** The schema of documents, which Perl's validator would fetch. Redocly checks the document in its place. */
const META_SCHEMA = "https://spec.openapis.org/oas/3.1/schema/2021-05-20";

const run = promisify(execFile);

const isInstalled = () =>
  run("perl", ["-MOpenAPI::Client", "-e", "1"]).then(
    () => true,
    () => false,
  );

/** Installs Debian's generator of Perl clients as root on a bare machine, as in CI. */
export async function requirePerlClient(): Promise<void> {
  if (await isInstalled()) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get"))
    for (const words of INSTALL) await run("apt-get", words, { env });
  if (!(await isInstalled()))
    throw new Error(`This test needs Perl's OpenAPI::Client: sudo apt-get install ${PACKAGE}`);
}

/** Fills a directory as the validator's cache, so that it needs no network. Returns its environment. */
export function perlEnvironment(directory: string): NodeJS.ProcessEnv {
  const cache = join(directory, "perl");
  mkdirSync(cache);
  const name = createHash("md5").update(META_SCHEMA).digest("hex");
  writeFileSync(join(cache, name), JSON.stringify({ $id: META_SCHEMA, type: "object" }));
  return { ...process.env, JSON_VALIDATOR_CACHE_PATH: cache, MOJO_NO_IPV6: "1" };
}
