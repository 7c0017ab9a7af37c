import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { finishUpgrade, placesOf, swap } from "../../workers/local/postgres/upgrade-places.ts";

let place: string;
let directory: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "soundpost-places-"));
  directory = join(place, "postgres");
});
afterEach(() => rmSync(place, { recursive: true }));

/** Makes directories that hold their version. */
function make(found: Record<string, string>): void {
  for (const [path, version] of Object.entries(found)) {
    mkdirSync(path);
    writeFileSync(join(path, "PG_VERSION"), version);
  }
}

const present = () => readFileSync(join(directory, "PG_VERSION"), "utf8");

test("a swap puts the new database in place and keeps the old one", () => {
  const { ready, former } = placesOf(directory);
  make({ [directory]: "old", [ready]: "new" });
  swap(directory, 18);
  expect(present()).toBe("new");
  expect(readFileSync(join(former(18), "PG_VERSION"), "utf8")).toBe("old");
  finishUpgrade(directory);
  expect(readdirSync(place).sort()).toEqual(["postgres", "postgres.from-18"]);
});

test("killed while the new one is filled, or just whole, the old one counts and the rest goes", () => {
  const { draft, ready } = placesOf(directory);
  make({ [directory]: "old", [draft]: "half", [ready]: "new" });
  finishUpgrade(directory);
  expect(present()).toBe("old");
  expect(readdirSync(place)).toEqual(["postgres"]);
});

test("killed between the two renames, the new one counts", () => {
  const { ready, former } = placesOf(directory);
  make({ [ready]: "new", [former(18)]: "old" });
  finishUpgrade(directory);
  expect(present()).toBe("new");
  expect(existsSync(ready)).toBe(false);
});
