import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { adviceOn, installationFor } from "../../workers/local/postgres/installations.ts";
import { POSTGRES_17 } from "../support/postgres-17.ts";

const PUBLIC = { isPublic: true };

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "soundpost-cluster-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true });
});

/** A directory that a major version made. None without a version. */
function cluster(major?: number): string {
  const directory = join(place, "postgres");
  if (!major) return directory;
  mkdirSync(directory);
  writeFileSync(join(directory, "PG_VERSION"), `${major}\n`);
  return directory;
}

/** Writes programs that say this version. */
function programs(version: string): string {
  const directory = join(place, version);
  mkdirSync(directory);
  for (const name of ["postgres", "initdb"])
    writeFileSync(join(directory, name), `#!/bin/sh\necho '${name} (PostgreSQL) ${version} (Debian)'\n`, {
      mode: 0o755,
    });
  return directory;
}

const chosen = (...given: Parameters<typeof installationFor>) => {
  const { major, source } = installationFor(...given);
  return `${source} ${major}`;
};

test("a new database of a public server is the system's newest, and one for trying out the embedded one", () => {
  vi.stubEnv("PATH", [programs("16.9"), programs("99.1"), programs("99.10"), POSTGRES_17].join(":"));
  expect(installationFor(cluster(), undefined, PUBLIC)).toMatchObject({ source: "system", version: "99.10" });
  expect(chosen(cluster(), undefined, {})).toBe("embedded 18");
});

test("a database is opened by the version that made it, on a public server by the system's", () => {
  vi.stubEnv("PATH", [programs("18.99"), POSTGRES_17].join(":"));
  const made = cluster(18);
  expect(chosen(made, undefined, {})).toBe("embedded 18");
  expect(chosen(made, undefined, PUBLIC)).toBe("system 18");
  expect(chosen(made, undefined, { named: programs("18.98") })).toBe("named 18");
  writeFileSync(join(made, "PG_VERSION"), "17\n");
  expect(chosen(made, undefined, {})).toBe("system 17");
});

test("no version opens the files of another: the refusal names the command that moves them", () => {
  const made = cluster(98);
  expect(() => chosen(made, undefined, PUBLIC)).toThrow(
    /made by PostgreSQL 98, .*sudo apt-get install postgresql-98, .*upgrade-database/,
  );
  const named = programs("99.1");
  expect(() => chosen(made, undefined, { named })).toThrow(
    /made by PostgreSQL 98, and POSTGRES_BIN names 99\.1: .*npm run -s admin -- upgrade-database/,
  );
});

test.each([
  ["16.9", "POSTGRES_BIN names PostgreSQL 16.9. Soundpost needs 17 or newer"],
  [undefined, "where no postgres and initdb run"],
])("programs of version %s are refused", (version, says) => {
  const named = version ? programs(version) : place;
  expect(() => chosen(cluster(), undefined, { named })).toThrow(says);
});

test("a public server on the embedded one is told to move", () => {
  const embedded = installationFor(cluster(), undefined, {});
  expect(adviceOn(embedded, PUBLIC)).toEqual([expect.stringContaining("upgrade-database")]);
  expect(adviceOn(embedded, {})).toEqual([]);
  vi.stubEnv("PATH", POSTGRES_17);
  expect(adviceOn(installationFor(cluster(), undefined, PUBLIC), PUBLIC)).toEqual([]);
});
