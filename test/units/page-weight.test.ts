import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { assetsVersion, buildAssets } from "../../workers/build/static-assets.ts";
import { PROJECT_DIR } from "../support/structure.ts";

/** Bytes of style and script that a track page loads before hls.js, compressed. */
const BUDGET = 60 * 1024;

test("style and script of a page of the site fit into 60 KiB", () => {
  const directory = mkdtempSync(join(tmpdir(), "soundpost-assets-"));
  try {
    buildAssets(PROJECT_DIR, directory);
    const folder = join(directory, "static", assetsVersion(directory));
    const loaded = new Set(["style.css", "site.client.js"]);
    // A set's iterator reaches what is added on the way.
    for (const name of loaded)
      for (const [, shared = ""] of readFileSync(join(folder, name), "utf8").matchAll(
        /(?:from|import)\s*"\.\/([^"]+)"/g,
      ))
        loaded.add(shared);
    expect(loaded).not.toContain("hls.light.min.js");
    const sizes = Array.from(loaded, (name) => gzipSync(readFileSync(join(folder, name))).length);
    const size = sizes.reduce((sum, each) => sum + each, 0);
    expect(size).toBeGreaterThan(20 * 1024);
    expect(size).toBeLessThan(BUDGET);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
