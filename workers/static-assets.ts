import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = "functions/site/assets";
/** The platform reads the headers of static files from a file of this name. */
export const HEADERS = "_headers";
/** In the order of their cascade. Pages load them as one file. */
const STYLES = ["style", "accounts", "track", "reference", "consent", "embed"].map((name) => `${name}.css`);
const HLS = "node_modules/hls.js/dist/hls.light.min.js";

/**
 * Lays out the files that the platform serves without the Worker. They share one version, so that scripts can
 * import each other by relative addresses and caches may keep them for ever.
 */
export function buildAssets(projectDir: string, directory: string): void {
  const files = filesOf(projectDir);
  const version = versionOf(files);
  const folder = join(directory, "static", version);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  copyFileSync(join(projectDir, SOURCES, HEADERS), join(directory, HEADERS));
}

/** The Worker's variable ASSETS_VERSION. */
export function assetsVersion(directory: string): string {
  const [version] = readdirSync(join(directory, "static"));
  if (!version) throw new Error(`${directory} holds no static files`);
  return version;
}

function filesOf(projectDir: string): Map<string, Buffer> {
  const read = (name: string) => readFileSync(join(projectDir, SOURCES, name));
  const names = readdirSync(join(projectDir, SOURCES)).filter(
    (name) => name !== HEADERS && !STYLES.includes(name),
  );
  const forgotten = names.find((name) => name.endsWith(".css"));
  if (forgotten) throw new Error(`${forgotten} has no place among the stylesheets`);
  return new Map([
    ["style.css", Buffer.concat(STYLES.map(read))],
    ["hls.light.min.js", readFileSync(join(projectDir, HLS))],
    ...names.map((name): [string, Buffer] => [name, read(name)]),
  ]);
}

function versionOf(files: Map<string, Buffer>): string {
  const hash = createHash("sha256");
  for (const [name, content] of files) hash.update(`${name}\0${content.length}\0`).update(content);
  return hash.digest("base64url").slice(0, 12);
}
