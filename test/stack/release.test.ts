import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { VERSION } from "../../functions/api/health/version.ts";
import { licencesOf } from "../../workers/build/licences.ts";
import { markedChangelog, nextVersion } from "../../workers/build/release.ts";
import { billOfMaterials } from "../../workers/build/sbom.ts";
import { PROJECT_DIR, read } from "../support/structure.ts";

test("all files name one version", () => {
  const lockfile = JSON.parse(read("package-lock.json"));
  const named = [JSON.parse(read("package.json")), lockfile, lockfile.packages[""]];
  expect(named.map(({ version }) => version)).toEqual([VERSION, VERSION, VERSION]);
  expect(VERSION).toMatch(/^\d+\.\d+\.\d+$/);
});

test("npm start tells the version and its usage, and starts nothing", () => {
  const program = join(PROJECT_DIR, "workers/local/stack/start.ts");
  const said = (option: string) => execFileSync(process.execPath, [program, option], { encoding: "utf8" });
  expect(said("--version")).toBe(`${VERSION}\n`);
  expect(said("--help")).toMatch(/^Usage: npm start/);
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

test("a release is one commit and a tag, and leaves a changed tree alone", () => {
  const clone = mkdtempSync(join(tmpdir(), "soundpost-release-"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: clone, encoding: "utf8" }).trim();
  const files = [
    "package.json",
    "package-lock.json",
    "functions/api/health/version.ts",
    "functions/lib/errors/message-of.ts",
    "workers/build/release.ts",
    "workers/build/publish.ts",
  ];
  for (const path of files) cpSync(join(PROJECT_DIR, path), join(clone, path));
  const changelog = join(clone, "functions/web/docs/guides/changelog.md");
  mkdirSync(dirname(changelog), { recursive: true });
  writeFileSync(changelog, "Words.\n\n## 2 May 2027\n\n- New.\n");
  git("init", "--quiet");
  git("config", "user.email", "ana@example.com");
  git("config", "user.name", "Ana");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Before");
  const release = (kind: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["workers/build/release.ts", kind], {
      cwd: clone,
      encoding: "utf8",
    });
    return [status, stdout + stderr];
  };
  const next = nextVersion(VERSION, "minor");
  const hook = join(clone, ".git/hooks/pre-commit");
  writeFileSync(hook, "#!/bin/sh\necho Not on a Friday >&2; exit 1\n", { mode: 0o755 });
  const failed = "Command failed: git commit --quiet --all --message";
  expect(release("minor")).toEqual([1, `${failed} Version ${next}\nNot on a Friday\n\n`]);
  rmSync(hook);
  git("tag", `v${next}`);
  expect(release("minor")).toEqual([1, `The tag v${next} is there already\n`]);
  git("tag", "--delete", `v${next}`);
  expect([git("status", "--porcelain"), git("log", "-1", "--format=%s")]).toEqual(["", "Before"]);
  expect(release("huge")).toEqual([
    1,
    "npm run release -- major|minor|patch\nnpm run release -- publish REGISTRY\n",
  ]);
  expect(release("minor")).toEqual([0, `Version ${next} is committed and tagged: git push --follow-tags\n`]);
  expect([git("status", "--porcelain"), git("log", "-1", "--format=%s"), git("describe")]).toEqual([
    "",
    `Version ${next}`,
    `v${next}`,
  ]);
  const [own, lockfile] = files
    .slice(0, 2)
    .map((path) => JSON.parse(readFileSync(join(clone, path), "utf8")));
  expect([own.version, lockfile.version, lockfile.packages[""].version]).toEqual([next, next, next]);
  expect(readFileSync(join(clone, "functions/api/health/version.ts"), "utf8")).toContain(`"${next}"`);
  expect(release("patch")).toEqual([1, expect.stringContaining("says nothing of this release")]);
  expect(git("status", "--porcelain")).toBe("");
  writeFileSync(changelog, "Words.\n\n## 3 May 2027\n");
  expect(release("patch")).toEqual([1, "There are changes that are not committed\n"]);
  rmSync(clone, { recursive: true });
});

const { dependencies } = JSON.parse(read("package.json"));

test("the licences name each package that a server runs, with its text, and none of the tests' tools", () => {
  const text = String(licencesOf(PROJECT_DIR));
  for (const [name, version] of Object.entries(dependencies)) expect(text).toContain(`${name} ${version} (`);
  expect(text).toContain("Permission is hereby granted");
  expect(text).not.toMatch(/^(?:vitest|playwright-core|fast-check) /m);
});

describe("the list of what a server runs", () => {
  const { components, metadata } = billOfMaterials({
    arch: "x64",
    system: [{ type: "application", name: "ffmpeg", version: "7.1" }],
  });
  const names = components.map(({ name }) => name);

  test("is of soundpost, with its version and licence", () => {
    expect(metadata.component).toMatchObject({
      type: "application",
      name: "soundpost",
      version: VERSION,
      licenses: [{ license: { id: "MIT" } }],
    });
  });

  test("names each package of the lockfile that any server needs, this processor's, and the system's parts", () => {
    type Locked = { os?: string[]; cpu?: string[]; libc?: string[] };
    const locked = Object.entries(JSON.parse(read("package-lock.json")).packages as Record<string, Locked>);
    const wanted = locked
      .filter(([path, { os, cpu, libc }]) => path && !os && !cpu && !libc)
      .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length))
      .filter((name) => !/^@types\/|^@cloudflare\/workers-types$|^undici-types$/.test(name));
    expect(wanted.length).toBeGreaterThan(100);
    expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(["@img/sharp-linux-x64", "@cloudflare/workerd-linux-64", "ffmpeg"]),
    );
  });

  test("names no declarations, no tests' tools, and nothing for another system", () => {
    const others = /^@types\/|darwin|win32|windows|musl|arm64|^(?:vitest|playwright-core|drizzle-kit)$/;
    expect(names.filter((name) => others.test(name))).toEqual([]);
  });

  test("gives each package once, with its hash and licence", () => {
    const libraries = components.filter(({ type }) => type === "library");
    expect(new Set(libraries.map(({ purl }) => purl)).size).toBe(libraries.length);
    for (const one of libraries) expect(one).toMatchObject({ hashes: [{ alg: "SHA-512" }], licenses: [{}] });
  });

  test("is what the command prints", () => {
    const program = [join(PROJECT_DIR, "workers/build/sbom.ts")];
    const printed = JSON.parse(execFileSync(process.execPath, program, { encoding: "utf8" }));
    expect(printed.bomFormat).toBe("CycloneDX");
    expect(printed.components).toContainEqual({
      type: "platform",
      name: "node",
      version: process.versions.node,
    });
  });
});
