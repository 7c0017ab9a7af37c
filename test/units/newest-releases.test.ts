import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newerThan } from "../../workers/admin/server/newest-releases.ts";
import { systemNode } from "../../workers/admin/server/system-node.ts";
import { released } from "../../workers/admin/server/version-checks.ts";

const place = mkdtempSync(join(tmpdir(), "soundpost-nodes-"));
afterAll(() => rmSync(place, { recursive: true }));

test.each([
  ["PostgreSQL", "17.2", /^17\.\d+$/],
  ["PostgreSQL", "17.9 (Debian 17.9-0+deb13u1)", /^17\.\d+$/],
  ["Node", "24.3.1", /^24\.\d+\.\d+$/],
  ["ffmpeg", "5.1.1-0+deb12u1", /^5\.1\.\d+$/],
  ["ffmpeg", "n7.1", /^7\.1\.\d+$/],
] as const)("%s %s lags behind the newest of its line", (program, version, newest) => {
  expect(newerThan(program, version)).toMatch(newest);
  expect(released(program, version, "do this")).toMatchObject({
    state: "warning",
    says: expect.stringMatching(/ lags behind \S+ \(known on .*\): do this$/),
  });
});

test.each([
  ["PostgreSQL", "17.99"],
  ["PostgreSQL", "99.1"],
  ["Node", "26.99.0"],
  ["ffmpeg", "7.0.1"],
  ["ffmpeg", "N-109542-g4f1ba2d"],
] as const)("%s %s is new, or of a line of which nothing is known", (program, version) => {
  expect(newerThan(program, version)).toBeUndefined();
  expect(released(program, version, "do this")).toMatchObject({ state: "ok" });
});

/** A folder with a program that says this version. */
function folderOf(version: string): string {
  const folder = join(place, version);
  mkdirSync(folder);
  writeFileSync(join(folder, "node"), `#!/bin/sh\necho v${version}\n`, { mode: 0o755 });
  return folder;
}

test("the unit starts the system's Node 22, 24 or 26, and no other", () => {
  const others = ["20.19.2", "22.17.0", "25.1.0"].map(folderOf);
  expect(systemNode([...others, join(place, "none")])).toBeUndefined();
  const [older, newer] = ["22.18.0", "26.0.0"].map(folderOf);
  expect(systemNode([...others, String(older), String(newer)])).toBe(join(String(older), "node"));
  expect(systemNode([folderOf("24.2.0")])).toBe(join(place, "24.2.0/node"));
});
