import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "../../functions/health/version.ts";
import { licencesOf } from "../../workers/build/licences.ts";
import { markedChangelog, nextVersion } from "../../workers/build/release.ts";
import { PROJECT_DIR, read } from "../support/structure.ts";

test("all files name one version", () => {
  const lockfile = JSON.parse(read("package-lock.json"));
  const named = [JSON.parse(read("package.json")), lockfile, lockfile.packages[""]];
  expect(named.map(({ version }) => version)).toEqual([VERSION, VERSION, VERSION]);
  expect(VERSION).toMatch(/^\d+\.\d+\.\d+$/);
});

test("npm start tells the version and starts nothing", () => {
  const program = join(PROJECT_DIR, "workers/local/stack/start.ts");
  expect(execFileSync(process.execPath, [program, "--version"], { encoding: "utf8" })).toBe(`${VERSION}\n`);
});

test("the next version begins its smaller parts anew", () => {
  expect([
    nextVersion("1.4.9", "patch"),
    nextVersion("1.4.9", "minor"),
    nextVersion("1.4.9", "major"),
  ]).toEqual(["1.4.10", "1.5.0", "2.0.0"]);
});

test("a release marks what the changelog says of it, and is refused if that is nothing", () => {
  const changelog = "Words.\n\n## 2 May 2027\n\n- New.\n\n## 1 May 2027, version 0.1.0\n\n- Old.\n";
  const marked = markedChangelog(changelog, "0.2.0");
  expect(marked).toContain("## 2 May 2027, version 0.2.0\n");
  expect(() => markedChangelog(marked, "0.3.0")).toThrow("says nothing of this release");
  expect(() => markedChangelog("Words.\n", "0.3.0")).toThrow("says nothing of this release");
});

test("the licences name each package that is shipped, with its text, and none of the tools", () => {
  const text = String(licencesOf(PROJECT_DIR));
  const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries(dependencies)) expect(text).toContain(`${name} ${version} (`);
  expect(text).toContain("Permission is hereby granted");
  expect(text).not.toMatch(/^(?:vitest|wrangler|nodemailer) /m);
});

test("the list of what is shipped can be made from the lockfile", () => {
  const { sbom = "" } = JSON.parse(read("package.json")).scripts;
  const [program = "", ...args] = sbom.split(" ");
  const list = JSON.parse(
    execFileSync(program, args, { cwd: PROJECT_DIR, encoding: "utf8", maxBuffer: 2 ** 26 }),
  );
  expect(list.bomFormat).toBe("CycloneDX");
  const names = list.components.map(({ name }: { name: string }) => name);
  expect(names).toContain("hono");
  expect(names).not.toContain("vitest");
});
