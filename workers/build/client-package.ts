import { execFileSync } from "node:child_process";
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
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { CLIENT_TYPES, clientTypes } from "./client-types.ts";
import { tarOf } from "./tar.ts";

const SOURCES = "functions/client";
/** Files that apps import by name. They and what they share are bundled. */
const ENTRIES = ["index.ts", "upload.ts", "webhooks.ts", "file-store.ts"];
const AS_THEY_ARE = ["README.md"];
const TYPES = "--declaration --emitDeclarationOnly --strict --target es2022 --module preserve --skipLibCheck";
const COMPILER = "--moduleResolution bundler --allowImportingTsExtensions --ignoreConfig --types node";

/** Returns the typed client as npm installs it, packed once for each change. */
export function clientPackage(projectDir: string): Buffer {
  const types = clientTypes(projectDir);
  const version = versionOf(projectDir, types);
  // The folder of the project that a server's account may write to.
  const cache = join(projectDir, ".wrangler/tmp");
  const built = join(cache, `client-${version}.tgz`);
  if (existsSync(built)) return readFileSync(built);
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "client-"));
  try {
    cpSync(join(projectDir, SOURCES), directory, { recursive: true });
    writeFileSync(join(directory, basename(CLIENT_TYPES)), types);
    const content = gzipSync(tarOf(filesOf(projectDir, directory, version)), { level: 9 });
    writeFileSync(join(directory, "client.tgz"), content);
    renameSync(join(directory, "client.tgz"), built);
    return content;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Below `package/`, where npm looks. */
function filesOf(projectDir: string, sources: string, version: string): Map<string, string> {
  const read = (name: string) => readFileSync(join(sources, name), "utf8");
  const manifest = { ...JSON.parse(read("package.json")), version };
  const files = [
    ["package.json", `${JSON.stringify(manifest, null, 2)}\n`],
    ...AS_THEY_ARE.map((name) => [name, read(name)]),
    ...scriptsOf(sources),
    ...typesOf(projectDir, sources),
  ] as const;
  return new Map(files.map(([name = "", text = ""]) => [`package/${name}`, text]));
}

function scriptsOf(sources: string): [string, string][] {
  const { outputFiles } = buildSync({
    entryPoints: ENTRIES.map((name) => join(sources, name)),
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    target: "es2022",
    outdir: "package",
    chunkNames: "[name]-[hash]",
    logLevel: "error",
    external: ["node:*"],
  });
  return outputFiles.map(({ path, text }) => [basename(path), text]);
}

function typesOf(projectDir: string, sources: string): [string, string][] {
  const compiler = join(projectDir, "node_modules/typescript/bin/tsc");
  const entries = ENTRIES.map((name) => join(sources, name));
  const options = [...TYPES.split(" "), ...COMPILER.split(" ")];
  execFileSync(process.execPath, [compiler, ...options, ...entries], { cwd: projectDir, stdio: "inherit" });
  const names = readdirSync(sources).filter((name) => name.endsWith(".d.ts"));
  const read = (name: string) => readFileSync(join(sources, name), "utf8");
  return names.sort().map((name) => [name, read(name).replace(/(from "\.\/[^"]+)\.ts"/g, '$1.js"')]);
}

/** A version that differs between builds, so that npm notices a new client. */
function versionOf(projectDir: string, types: string): string {
  const hash = createHash("sha256")
    .update(readFileSync(import.meta.filename))
    .update(types);
  const sources = join(projectDir, SOURCES);
  for (const name of readdirSync(sources).sort())
    if (name !== basename(CLIENT_TYPES)) hash.update(`${name}\0`).update(readFileSync(join(sources, name)));
  return `1.0.0-${hash.digest("hex").slice(0, 12)}`;
}
