import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClientPackage, clientFile, clientPackage } from "../../workers/build/client-package.ts";
import { CLIENT_TYPES } from "../../workers/build/client-types.ts";
import { tarOf } from "../../workers/build/tar.ts";
import { PROJECT_DIR, read } from "../support/structure.ts";

/** Bytes of everything but uploads, compressed. */
const BUDGET = 12 * 1024;

let directory: string;
let unpacked: string;

let built: ClientPackage;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "soundpost-client-"));
  unpacked = join(directory, "package");
  built = clientPackage(PROJECT_DIR);
  writeFileSync(join(directory, "client.tgz"), built.content);
  execFileSync("tar", ["xzf", "client.tgz"], { cwd: directory });
});

afterAll(() => rmSync(directory, { recursive: true }));

test("the client without uploads fits into 12 KiB", () => {
  const { bin = {} } = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
  const apart = ["upload.js", ...Object.values<string>(bin).map((path) => path.replace("./", ""))];
  const scripts = readdirSync(unpacked).filter((name) => name.endsWith(".js") && !apart.includes(name));
  expect(scripts).toContain("index.js");
  const sizes = scripts.map((name) => gzipSync(readFileSync(join(unpacked, name))).length);
  const size = sizes.reduce((sum, each) => sum + each, 0);
  expect(size).toBeGreaterThan(3 * 1024);
  expect(size).toBeLessThan(BUDGET);
});

test("each entry of the package has its script and its types, and there are no dependencies", () => {
  const { exports, dependencies } = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
  expect(Object.keys(exports)).toEqual([".", "./upload", "./webhooks", "./file-store"]);
  const files = readdirSync(unpacked);
  for (const { types, default: script } of Object.values<{ types: string; default: string }>(exports))
    for (const path of [types, script]) expect(files).toContain(path.slice(2));
  expect(dependencies).toBeUndefined();
});

test("a version is the same bytes wherever it is built, and another content is another version", () => {
  const elsewhere = copyOfSources();
  expect(clientPackage(elsewhere)).toEqual(built);
  appendFileSync(join(elsewhere, "functions/client/README.md"), "One more word.\n");
  const changed = clientPackage(elsewhere);
  expect(changed.version).toMatch(/^\d+\.\d+\.\d+-b[0-9a-f]{12}$/);
  expect(changed.version).not.toBe(built.version);
  expect(changed.content.equals(built.content)).toBe(false);
});

test("the package names its version, and tells apps how to install just that", () => {
  const { version } = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
  expect(version).toBe(built.version);
  const readme = readFileSync(join(unpacked, "README.md"), "utf8");
  expect(readme).toContain(`{api_url}/${clientFile(version)}`);
  expect(readme).not.toContain("{client_version}");
});

test("a registry finds a licence, a changelog of the version and source maps without paths of this machine", () => {
  expect(readFileSync(join(unpacked, "LICENSE"), "utf8")).toBe(read("LICENSE"));
  const [release] = built.version.split("-");
  expect(readFileSync(join(unpacked, "CHANGELOG.md"), "utf8")).toContain(`\n## ${release}\n`);
  for (const name of readdirSync(unpacked).filter((each) => each.endsWith(".js"))) {
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(unpacked, `${name}.map`), "utf8"));
    expect(sources.filter((path: string) => !/^[\w/-]+\.ts$/.test(path))).toEqual([]);
    expect(sourcesContent).toHaveLength(sources.length);
    expect(readFileSync(join(unpacked, name), "utf8")).toContain(`//# sourceMappingURL=${name}.map`);
  }
});

test("the median source file of the client has 60 lines at most", () => {
  const names = readdirSync(join(PROJECT_DIR, "functions/client")).filter(
    (name) => name.endsWith(".ts") && !CLIENT_TYPES.endsWith(name),
  );
  const lines = names.map((name) => read(`functions/client/${name}`).trimEnd().split("\n").length);
  const sorted = lines.sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(60);
});

/** A project in another place with the sources of the package. */
function copyOfSources(): string {
  const copy = join(directory, "copy");
  for (const path of [
    "functions",
    "workers",
    "db",
    "LICENSE",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "wrangler.toml",
  ])
    cpSync(join(PROJECT_DIR, path), join(copy, path), { recursive: true });
  symlinkSync(join(PROJECT_DIR, "node_modules"), join(copy, "node_modules"));
  return copy;
}

test("an archive depends on its files alone, and other programs read it", () => {
  const files = new Map([
    ["package/a.txt", "a"],
    ["package/ü.txt", "x".repeat(512)],
    ["package/empty.txt", ""],
  ]);
  const programs = ["package/a.txt"];
  const archive = tarOf(files, programs);
  expect(tarOf(new Map(files), programs).equals(archive)).toBe(true);
  writeFileSync(join(directory, "other.tar"), archive);
  const list = execFileSync("tar", ["tf", "other.tar", "--quoting-style=literal"], { cwd: directory });
  expect(list.toString().trim().split("\n")).toEqual([...files.keys()]);
  execFileSync("tar", ["xf", "other.tar"], { cwd: directory });
  for (const [path, text] of files) expect(readFileSync(join(directory, path), "utf8")).toBe(text);
  const modes = [...files.keys()].map((path) => statSync(join(directory, path)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o644, 0o644]);
  expect(gunzipSync(built.content).length % 512).toBe(0);
});
