import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROJECT_DIR } from "../support/structure.ts";

const program = join(PROJECT_DIR, "test/support/second-tries.ts");

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "soundpost-tries-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Code of a test that fails until its file was run `tries` times. */
const failing = (name: string, tries: number) =>
  `import { appendFileSync, readFileSync } from "node:fs";
   const runs = import.meta.filename + ".runs";
   appendFileSync(runs, "+");
   test("passes at once", () => {});
   test(${JSON.stringify(name)}, () => expect(readFileSync(runs, "utf8").length).toBeGreaterThan(${tries}));`;

/** Runs files by the number of tries in which they fail. Returns the exit code and what was said. */
async function runWith(files: Record<string, number>, further = ""): Promise<[number, string]> {
  for (const [name, tries] of Object.entries(files))
    writeFileSync(join(directory, `${name}.test.mjs`), failing(name, tries) + further);
  const run = promisify(execFile)(process.execPath, [program, "--root", directory, "--globals"]);
  const ended = await run.then(
    ({ stderr }): [number, string] => [0, stderr],
    ({ code, stderr }: { code: number; stderr: string }): [number, string] => [code, stderr],
  );
  for (const name of Object.keys(files))
    for (const end of ["", ".runs"]) rmSync(join(directory, `${name}.test.mjs${end}`));
  return ended;
}

test("a run names the files that passed on their second try, and up to three of them do not fail it", async () => {
  expect(await runWith({ loads: 0 })).toEqual([0, ""]);
  const [code, said] = await runWith({ loads: 0, plays: 1, seeks: 1, ends: 1 });
  expect(code).toBe(0);
  const passed = said.split("Passed on the second try:\n")[1];
  for (const name of ["plays", "seeks", "ends"]) expect(passed).toContain(`  ${name}.test.mjs\n`);
  expect(passed).not.toContain("loads");
});

test("a file that fails twice fails the run", async () => {
  const [code, said] = await runWith({ loads: 1, plays: 2 });
  expect(code).toBe(1);
  expect(said).not.toContain("Passed on the second try");
});

test("four files that fail have no second try", async () => {
  const [code, said] = await runWith({ loads: 1, plays: 1, seeks: 1, ends: 1 });
  expect([code, said]).toEqual([
    1,
    expect.stringContaining("4 files failed; up to 3 would have had a second try."),
  ]);
});

test("an error outside of tests fails the run at once", async () => {
  const [code, said] = await runWith({ loads: 1 }, 'setTimeout(() => { throw new Error("late") });');
  expect(code).toBe(1);
  expect(said).not.toContain("second try");
});

test("a set-up that failed has a second try", async () => {
  const setUp = 'beforeAll(() => { if (readFileSync(runs, "utf8") === "+") throw new Error("not yet"); });';
  const [code, said] = await runWith({ loads: 0 }, setUp);
  expect(code).toBe(0);
  expect(said).toContain("Passed on the second try:\n  loads.test.mjs\n");
});
