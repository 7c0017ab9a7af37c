import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";
import { clientFile, clientPackage } from "./client-package.ts";
import { renderGuides } from "./guides.ts";
import { licencesOf } from "./licences.ts";
import { toneFile } from "./tone.ts";

const SOURCES = "functions/ui/assets";
/** The platform reads the headers of static files from a file of this name. */
export const HEADERS = "_headers";
/** Names the typed client's version for the Worker. */
const CLIENT = "client.json";
/** The licences of the shipped packages. */
const LICENCES = "licences.txt";
/** Pages load most stylesheets as one file. These stand first, in this order, so that the others overrule them. */
const FIRST_STYLES = ["typeface.css", "tokens.css", "elements.css", "frame.css", "parts.css"];
/**
 * The other files: of the embedded player, of the pages that their name says, and what the player's script loads once something
 * plays. A stylesheet is part of each that the first words of its name say.
 */
const APART = [
  "admin",
  "docs",
  "embed",
  "home",
  "insights",
  "later",
  "news",
  "own",
  "podcast",
  "status",
  "upload",
];
/** Sources and their compiler settings, which are not shipped. Pages load only the files built from them. */
const NOT_SHIPPED = /\.(?:css|ts)$|^tsconfig\.json$/;
/** A script that browsers load unchanged when they first need it. */
const HLS = "node_modules/hls.js/dist/hls.light.min.js";
/** The typeface of titles, a file for each range of letters. */
const FONTS = "node_modules/@fontsource-variable/familjen-grotesk/files";
const IS_FONT = /-wght-normal\.woff2$/;
/** Scripts that pages load. They and what they share, packages included, are bundled. */
const isEntry = (path: string) => path.endsWith(".client.ts") && !isPlain(path);
/** Pages of others load the first, where its names must not meet theirs. Workers of all browsers load the others. */
const PLAIN_SCRIPTS = new Set(["widget-api.client.ts", "offline-worker.client.ts", "proof-worker.client.ts"]);
const isPlain = (path: string) => PLAIN_SCRIPTS.has(basename(path));

/**
 * Lays out the files that the platform serves without the Worker. They share one version, so that scripts can
 * import each other by relative addresses and caches may keep them for ever.
 */
export function buildAssets(projectDir: string, directory: string): void {
  const client = clientPackage(projectDir);
  const files = filesOf(projectDir, client.version);
  const version = versionOf(files);
  const folder = join(directory, "static", version);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  writeFileSync(join(directory, clientFile(client.version)), client.content);
  writeFileSync(join(directory, LICENCES), licencesOf(projectDir));
  copyFileSync(join(projectDir, SOURCES, HEADERS), join(directory, HEADERS));
}

/** The Worker's variable ASSETS_VERSION. */
export function assetsVersion(directory: string): string {
  const [version] = readdirSync(join(directory, "static"));
  if (!version) throw new Error(`${directory} holds no static files`);
  return version;
}

function filesOf(projectDir: string, clientVersion: string): Map<string, Buffer> {
  const sources = join(projectDir, SOURCES);
  const paths = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== HEADERS)
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map([
    ["style.css", minifiedStyles(stylesOf(paths))],
    ...APART.map((prefix): [string, Buffer] => [`${prefix}.css`, minifiedStyles(stylesOf(paths, prefix))]),
    ["hls.light.min.js", readFileSync(join(projectDir, HLS))],
    ...fonts(join(projectDir, FONTS)),
    ...bundledScripts(paths.filter(isEntry), { format: "esm", splitting: true }),
    ...bundledScripts(paths.filter(isPlain), { format: "iife" }),
    ...paths
      .filter((path) => !NOT_SHIPPED.test(basename(path)))
      .map((path): [string, Buffer] => [basename(path), readFileSync(path)]),
    ...renderGuides(projectDir, { client_version: clientVersion }),
    [CLIENT, Buffer.from(JSON.stringify({ version: clientVersion }))],
    ["tone.wav", toneFile()],
  ]);
}

const fonts = (directory: string): [string, Buffer][] =>
  readdirSync(directory)
    .filter((name) => IS_FONT.test(name))
    .map((name) => [name, readFileSync(join(directory, name))]);

/** The stylesheets of a file apart, or those of the one that most pages load. */
function stylesOf(paths: string[], wanted?: string): string[] {
  const styles = paths.filter((path) => {
    const apart = path.endsWith(".css") && filesApart(path);
    return apart && (wanted ? apart.includes(wanted) : apart.length === 0);
  });
  const first = FIRST_STYLES.flatMap((name) => styles.filter((path) => basename(path) === name));
  return [...first, ...styles.filter((path) => !first.includes(path)).sort(byName)];
}

function filesApart(path: string): string[] {
  const words = basename(path, ".css").split("-");
  const end = words.findIndex((word) => !APART.includes(word));
  return words.slice(0, end === -1 ? words.length : end);
}

const byName = (one: string, other: string) => (basename(one) < basename(other) ? -1 : 1);

function minifiedStyles(paths: string[]): Buffer {
  const contents = paths.map((path) => readFileSync(path, "utf8")).join("\n");
  const { outputFiles } = buildSync({
    stdin: { contents, loader: "css" },
    minify: true,
    write: false,
    logLevel: "error",
  });
  return Buffer.from(outputFiles[0]?.contents ?? "");
}

function bundledScripts(entryPoints: string[], options: BuildOptions): [string, Buffer][] {
  const { outputFiles } = buildSync({
    entryPoints,
    ...options,
    bundle: true,
    minify: true,
    write: false,
    logLevel: "error",
    target: "es2022",
    outdir: "static",
    entryNames: "[name]",
    chunkNames: "[name]-[hash]",
    external: ["./hls.light.min.js"],
  });
  return outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]);
}

function versionOf(files: Map<string, Buffer>): string {
  const hash = createHash("sha256");
  for (const [name, content] of files) hash.update(`${name}\0${content.length}\0`).update(content);
  return hash.digest("base64url").slice(0, 12);
}
