import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assetsVersion, buildAssets } from "../../workers/build/static-assets.ts";
import { PROJECT_DIR } from "../support/structure.ts";

/** Bytes of style and script that a track page loads before hls.js, compressed. */
const BUDGET = 60 * 1024;

const directory = mkdtempSync(join(tmpdir(), "soundpost-assets-"));
beforeAll(() => buildAssets(PROJECT_DIR, directory));
afterAll(() => rmSync(directory, { recursive: true }));

const readFile = (name: string) => readFileSync(join(directory, "static", assetsVersion(directory), name));

/** A page's files with those that they load at once. */
function loadedBy(...names: string[]): Set<string> {
  const loaded = new Set(names);
  // A set's iterator reaches what is added on the way.
  for (const name of loaded)
    for (const [, shared = ""] of readFile(name)
      .toString()
      .matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
      loaded.add(shared);
  return loaded;
}

test("style and script of a page of the site fit into 60 KiB", () => {
  const loaded = loadedBy("style.css", "site.client.js");
  expect(loaded).not.toContain("hls.light.min.js");
  const sizes = Array.from(loaded, (name) => gzipSync(readFile(name)).length);
  const size = sizes.reduce((sum, each) => sum + each, 0);
  expect(size).toBeGreaterThan(20 * 1024);
  expect(size).toBeLessThan(BUDGET);
});

test("pages of accounts and docs, which load as a whole, load no Turbo", () => {
  const isTurbo = (name: string) => readFile(name).includes("turbo-progress-bar");
  expect([...loadedBy("site.client.js")].some(isTurbo)).toBe(true);
  expect([...loadedBy("shell.client.js")].some(isTurbo)).toBe(false);
});
