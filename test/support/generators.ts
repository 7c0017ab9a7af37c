import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { PROJECT_DIR } from "./structure.ts";

export const GENERATORS = join(PROJECT_DIR, "test/generators");

const INSTALL = `test node_modules/.package-lock.json -nt package-lock.json ||
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error`;

/** Installs the packages of `test/generators` unless they are there. Tests that start together wait for each other. */
export const installGenerators = () =>
  promisify(execFile)("flock", ["package-lock.json", "sh", "-c", INSTALL], { cwd: GENERATORS });
