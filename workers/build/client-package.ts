import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { filesOf, type Manifest, programsOf } from "./client-files.ts";
import { CLIENT_TYPES, clientTypes } from "./client-types.ts";
import { tarOf } from "./tar.ts";

const SOURCES = "functions/client";
/** They make the files, besides the sources. */
const RECIPE = ["LICENSE", "package-lock.json"];

export interface ClientPackage {
  /** A version has the same bytes on every service. */
  version: string;
  content: Buffer;
}

/** The name under which services serve a version. */
export const clientFile = (version: string): string => `client-${version}.tgz`;

/** Returns the typed client as npm installs it, packed once for each change. */
export function clientPackage(projectDir: string): ClientPackage {
  const types = clientTypes(projectDir);
  // The folder of the project that a server's account may write to.
  const cache = join(projectDir, ".wrangler/tmp");
  const built = join(cache, `client-${hashOf(projectDir, types)}`);
  if (!existsSync(built)) build(projectDir, types, cache, built);
  const [version = ""] = readdirSync(built);
  return { version, content: readFileSync(join(built, version)) };
}

function build(projectDir: string, types: string, cache: string, built: string): void {
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "client-"));
  const [sources, result] = [join(directory, "sources"), join(directory, "result")];
  try {
    cpSync(join(projectDir, SOURCES), sources, { recursive: true });
    writeFileSync(join(sources, basename(CLIENT_TYPES)), types);
    const { version, content } = packed(projectDir, sources);
    mkdirSync(result);
    writeFileSync(join(result, version), content);
    // Another process may have been faster.
    if (!existsSync(built)) renameSync(result, built);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * The version holds a digest of the archive without it. That is compressed, because other compressors write other
 * bytes. A letter leads it: a pre-release of digits must not begin with zero.
 */
function packed(projectDir: string, sources: string): ClientPackage {
  const manifest: Manifest = JSON.parse(readFileSync(join(sources, "package.json"), "utf8"));
  const files = filesOf(projectDir, sources, manifest);
  const archiveOf = (version: string) => {
    const own = `${JSON.stringify({ ...manifest, version }, null, 2)}\n`;
    const all = new Map([["package/package.json", own], ...files]);
    for (const [path, text] of all) all.set(path, text.replaceAll("{client_version}", version));
    return gzipSync(tarOf(all, programsOf(manifest)), { level: 9 });
  };
  const digest = createHash("sha256").update(archiveOf(manifest.version)).digest("hex");
  const version = `${manifest.version}-b${digest.slice(0, 12)}`;
  return { version, content: archiveOf(version) };
}

/** Changes whenever the package would. */
function hashOf(projectDir: string, types: string): string {
  const hash = createHash("sha256").update(types).update(process.version);
  const own = readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name));
  const entries = readdirSync(join(projectDir, SOURCES), { recursive: true, withFileTypes: true });
  const sources = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const paths = [...own, ...sources.sort(), ...RECIPE.map((name) => join(projectDir, name))];
  for (const path of paths)
    if (!path.endsWith(CLIENT_TYPES))
      hash.update(`${relative(projectDir, path)}\0`).update(readFileSync(path));
  return hash.digest("hex").slice(0, 12);
}
