import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";

/** Files that apps import by name. They and what they share are bundled. */
const ENTRIES = ["index.ts", "upload.ts", "webhooks.ts", "file-store.ts"];
const AS_THEY_ARE = ["README.md", "CHANGELOG.md"];
const LICENCE = "LICENSE";
const TYPES = "--declaration --emitDeclarationOnly --strict --target es2022 --module preserve --skipLibCheck";
const COMPILER = "--moduleResolution bundler --allowImportingTsExtensions --ignoreConfig --types node";

export interface Manifest {
  version: string;
  bin?: Record<string, string>;
}

/** npm looks below this folder. */
const packed = (name: string) => `package/${name}`;

const namesIn = ({ bin = {} }: Manifest) => Object.values(bin).map((path) => basename(path));

/** Paths of the manifest's `bin` in the package. */
export const programsOf = (manifest: Manifest): string[] => namesIn(manifest).map(packed);

/** Returns the package's files but its manifest. Paths of this machine are in none. */
export function filesOf(projectDir: string, sources: string, manifest: Manifest): [string, string][] {
  const read = (directory: string) => (name: string) =>
    [name, readFileSync(join(directory, name), "utf8")] as [string, string];
  // Each program is built from the source of its name, which begins with `#!/usr/bin/env node`.
  const programs = namesIn(manifest).map((name) => name.replace(/\.js$/, ".ts"));
  const files = [
    ...AS_THEY_ARE.map(read(sources)),
    read(projectDir)(LICENCE),
    ...scriptsOf(sources, ENTRIES),
    // Alone, because apps would load what they share in more parts.
    ...scriptsOf(sources, programs),
    ...typesOf(projectDir, sources),
  ];
  return files.map(([name, text]) => [packed(name), text]);
}

/** Names files relative to their folder, in comments and source maps. */
function scriptsOf(sources: string, entryPoints: string[]): [string, string][] {
  const { outputFiles } = buildSync({
    absWorkingDir: sources,
    entryPoints,
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    target: "es2022",
    sourcemap: "linked",
    outdir: ".",
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
