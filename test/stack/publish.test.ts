import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { VERSION } from "../../functions/api/health/version.ts";
import { PROJECT_DIR } from "../support/structure.ts";

// Docker is a double, which notes what it is told. test/images builds them.

/** Says on `run` which fixes are missing, as its file has it. */
const DOCKER = `#!/bin/sh
echo "$*" >> "$0.log"
[ "$1" != run ] || cat "$0.missing"
[ "$1" != "$(cat "$0.refuses")" ]
`;

const FILES = [
  "package.json",
  "functions/lib/errors/message-of.ts",
  "workers/build/release.ts",
  "workers/build/publish.ts",
  "workers/transcoder/image/install.sh",
];

const clone = mkdtempSync(join(tmpdir(), "soundpost-publish-"));
const tools = mkdtempSync(join(tmpdir(), "soundpost-tools-"));
const docker = join(tools, "docker");
const git = (...args: string[]) => execFileSync("git", args, { cwd: clone });

beforeAll(() => {
  for (const path of FILES) cpSync(join(PROJECT_DIR, path), join(clone, path));
  for (const [name, text] of [
    ["docker", DOCKER],
    ["npm", "#!/bin/sh\n"],
  ] as const)
    writeFileSync(join(tools, name), text, { mode: 0o755 });
  git("init", "--quiet");
  git("config", "user.email", "ana@example.com");
  git("config", "user.name", "Ana");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Release");
});
afterAll(() => {
  for (const directory of [clone, tools]) rmSync(directory, { recursive: true });
});
beforeEach(() => {
  for (const note of ["log", "missing", "refuses"]) writeFileSync(`${docker}.${note}`, "");
  git("tag", "--force", `v${VERSION}`);
});

function publish(...words: string[]) {
  const PATH = [tools, dirname(process.execPath), process.env.PATH].join(delimiter);
  const { status, stderr } = spawnSync(process.execPath, ["workers/build/release.ts", "publish", ...words], {
    cwd: clone,
    encoding: "utf8",
    env: { PATH },
  });
  return { status, stderr, commands: readFileSync(`${docker}.log`, "utf8").trim().split("\n") };
}

const TAGS = [`reg.test/ana/soundpost-transcoder:${VERSION}`, `reg.test/ana/soundpost:${VERSION}`];

test("a release's images are built with the fixes of the day, scanned, and pushed at the end", () => {
  const { status, stderr, commands } = publish("reg.test/ana");
  expect([status, stderr]).toEqual([0, ""]);
  expect(commands.map((line) => line.split(" ")[0])).toEqual([
    "build",
    "build",
    "run",
    "run",
    "push",
    "push",
  ]);
  for (const line of commands.slice(0, 2)) expect(line).toMatch(/--build-arg FIXES_OF=\d{4}-\d\d-\d\d /);
  expect(commands.slice(0, 2).map((line) => /--tag (\S+)/.exec(line)?.[1])).toEqual(TAGS);
  expect(commands[0]).toContain("--platform linux/amd64");
  expect(commands.slice(4)).toEqual(TAGS.map((tag) => `push ${tag}`));
});

test("an image that lacks a fix is not pushed, and the fix is named", () => {
  writeFileSync(
    `${docker}.missing`,
    "Inst libssl3t64 [3.5.4] (3.5.5 Debian-Security:13/stable-security [amd64])\n",
  );
  const { status, stderr, commands } = publish("reg.test/ana");
  expect([status, stderr]).toEqual([1, expect.stringMatching(/lacks fixes of Debian:\nInst libssl3t64/)]);
  expect(commands.filter((line) => line.startsWith("push"))).toEqual([]);
});

test("a build that fails ends all", () => {
  writeFileSync(`${docker}.refuses`, "build");
  const { status, stderr, commands } = publish("reg.test/ana");
  expect([status, stderr, commands.length]).toEqual([1, "docker build failed\n", 1]);
});

test("what is not the tagged version is not published", () => {
  git("tag", "--delete", `v${VERSION}`);
  const refusal = `This is not version ${VERSION} as it was tagged: git checkout v${VERSION}\n`;
  expect(publish("reg.test/ana")).toEqual({ status: 1, stderr: refusal, commands: [""] });
  git("tag", `v${VERSION}`);
  writeFileSync(join(clone, "package.json"), `${readFileSync(join(clone, "package.json"), "utf8")}\n`);
  expect(publish("reg.test/ana").stderr).toBe(refusal);
  git("checkout", "--quiet", "package.json");
  expect(publish().stderr).toContain("publish REGISTRY");
});
