import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROJECT_DIR } from "../support/structure.ts";

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "soundpost-tries-"));
  const reporter = join(PROJECT_DIR, "test/support/second-tries.ts");
  writeFileSync(
    join(directory, "vitest.config.mjs"),
    `import { SecondTries } from ${JSON.stringify(reporter)};
     export default { test: { globals: true, retry: 1, reporters: [new SecondTries()] } };`,
  );
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs tests each of which fails at first. Returns the exit code and what was said. */
async function runWith(names: string[]): Promise<[number, string]> {
  writeFileSync(
    join(directory, "one.test.mjs"),
    `const seen = new Set();
     test("passes at once", () => {});
     for (const name of ${JSON.stringify(names)})
       test(name, () => { if (seen.size < seen.add(name).size) throw new Error("not yet"); });`,
  );
  const run = promisify(execFile)(process.execPath, [vitest, "run", "--root", directory]);
  return run.then(
    ({ stderr }) => [0, stderr],
    ({ code, stderr }: { code: number; stderr: string }) => [code, stderr],
  );
}

test("a run names the tests that passed on their second try, and up to three of them do not fail it", async () => {
  expect(await runWith([])).toEqual([0, ""]);
  const [code, said] = await runWith(["loads", "plays", "seeks"]);
  expect(code).toBe(0);
  for (const name of ["loads", "plays", "seeks"]) expect(said).toContain(`one.test.mjs > ${name}\n`);
  expect(said).not.toContain("passes at once");
});

test("four tests that needed a second try fail the run", async () => {
  const [code, said] = await runWith(["loads", "plays", "seeks", "ends"]);
  expect([code, said]).toEqual([1, expect.stringContaining("These are 4; more than 3 fail the run.")]);
});
