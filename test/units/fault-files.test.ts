import { expect, test } from "vitest";
import { read, sourcePaths } from "../support/structure.ts";

/** Ids of faults in a test's title, as in `"… (F10, F11)"`. */
const NAMES_A_FAULT = /\((?:[A-Z]+\d+, )*F\d+(?:, [A-Z]+\d+)*\)["`]/;

/** A file's own stack is checked when it stops. */
const CHECKS = /startFaultyStack\(|brokenInvariants(?:Of)?\(|invariantsHoldAfterwards\(/;

test("every file that tests faults of the service checks the invariants afterwards", () => {
  const files = sourcePaths().filter(
    (path) =>
      /^test\/(?:attacks|encoding|faults|service|slow)\/.*\.test\.ts$/.test(path) &&
      NAMES_A_FAULT.test(read(path)),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((path) => !CHECKS.test(read(path)))).toEqual([]);
});
