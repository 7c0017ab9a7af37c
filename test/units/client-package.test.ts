import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientPackage } from "../../workers/build/client-package.ts";
import { CLIENT_TYPES } from "../../workers/build/client-types.ts";
import { tarOf } from "../../workers/build/tar.ts";
import { PROJECT_DIR, read } from "../support/structure.ts";

/** Bytes of everything but uploads, compressed. */
const BUDGET = 10 * 1024;

let directory: string;
let unpacked: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "soundpost-client-"));
  unpacked = join(directory, "package");
  writeFileSync(join(directory, "client.tgz"), clientPackage(PROJECT_DIR));
  execFileSync("tar", ["xzf", "client.tgz"], { cwd: directory });
});

afterAll(() => rmSync(directory, { recursive: true }));

test("the client without uploads fits into 10 KiB", () => {
  const scripts = readdirSync(unpacked).filter((name) => name.endsWith(".js") && name !== "upload.js");
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

test("the median source file of the client has 60 lines at most", () => {
  const names = readdirSync(join(PROJECT_DIR, "functions/client")).filter(
    (name) => name.endsWith(".ts") && !CLIENT_TYPES.endsWith(name),
  );
  const lines = names.map((name) => read(`functions/client/${name}`).trimEnd().split("\n").length);
  const sorted = lines.sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(60);
});

test("an archive depends on its files alone, and other programs read it", () => {
  const files = new Map([
    ["package/a.txt", "a"],
    ["package/ü.txt", "x".repeat(512)],
    ["package/empty.txt", ""],
  ]);
  const archive = tarOf(files);
  expect(tarOf(new Map(files)).equals(archive)).toBe(true);
  writeFileSync(join(directory, "other.tar"), archive);
  const list = execFileSync("tar", ["tf", "other.tar", "--quoting-style=literal"], { cwd: directory });
  expect(list.toString().trim().split("\n")).toEqual([...files.keys()]);
  execFileSync("tar", ["xf", "other.tar"], { cwd: directory });
  for (const [path, text] of files) expect(readFileSync(join(directory, path), "utf8")).toBe(text);
  expect(gunzipSync(clientPackage(PROJECT_DIR)).length % 512).toBe(0);
});
