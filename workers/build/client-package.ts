import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
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
import { tarOf } from "./tar.ts";

const SOURCES = "functions/client";
/** Files that apps import by name. They and what they share are bundled. */
const ENTRIES = ["index.ts", "upload.ts", "webhooks.ts", "file-store.ts"];
const AS_THEY_ARE = ["README.md"];
const TYPES = "--declaration --emitDeclarationOnly --strict --target es2022 --module preserve --skipLibCheck";
const COMPILER = "--moduleResolution bundler --allowImportingTsExtensions --ignoreConfig --types node";

/** Returns the typed client as npm installs it. Its types take a second, so that it is built once. */
export function clientPackage(projectDir: string): Buffer {
  const version = versionOf(projectDir);
  const cache = join(projectDir, "node_modules/.cache/soundpost-client");
  const built = join(cache, `${version}.tgz`);
  if (existsSync(built)) return readFileSync(built);
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "build-"));
  try {
    const content = gzipSync(tarOf(filesOf(projectDir, directory, version)), { level: 9 });
    writeFileSync(join(directory, "client.tgz"), content);
    renameSync(join(directory, "client.tgz"), built);
    return content;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Below `package/`, where npm looks. */
function filesOf(projectDir: string, directory: string, version: string): Map<string, string> {
  const sources = join(projectDir, SOURCES);
  const read = (name: string) => readFileSync(join(sources, name), "utf8");
  const manifest = { ...JSON.parse(read("package.json")), version };
  const files = [
    ["package.json", `${JSON.stringify(manifest, null, 2)}\n`],
    ...AS_THEY_ARE.map((name) => [name, read(name)]),
    ...scriptsOf(sources),
    ...typesOf(projectDir, sources, directory),
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

function typesOf(projectDir: string, sources: string, directory: string): [string, string][] {
  const compiler = join(projectDir, "node_modules/typescript/bin/tsc");
  const entries = ENTRIES.map((name) => join(sources, name));
  const options = [...TYPES.split(" "), ...COMPILER.split(" "), "--outDir", directory];
  execFileSync(process.execPath, [compiler, ...options, ...entries], { cwd: projectDir, stdio: "inherit" });
  const names = readdirSync(directory).filter((name) => name.endsWith(".d.ts"));
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  return names.sort().map((name) => [name, read(name).replace(/(from "\.\/[^"]+)\.ts"/g, '$1.js"')]);
}

/** Tells builds apart, so that npm sees that a service offers another client. */
function versionOf(projectDir: string): string {
  const hash = createHash("sha256").update(readFileSync(import.meta.filename));
  const sources = join(projectDir, SOURCES);
  for (const name of readdirSync(sources).sort())
    hash.update(`${name}\0`).update(readFileSync(join(sources, name)));
  return `1.0.0-${hash.digest("hex").slice(0, 12)}`;
}
