import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "../../workers/local/install-ffmpeg.sh");

let machine: string;

/** Simulates a machine with these programs only. Its `apt-get` records its arguments. */
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), "soundpost-machine-"));
  for (const name of ["sed", "sh"]) symlinkSync(`/bin/${name}`, join(machine, name));
  has("id", "echo 0");
  has("apt-get", `echo "$*" >> ${machine}/told`);
});
afterEach(() => rmSync(machine, { recursive: true }));

function has(name: string, script: string): void {
  writeFileSync(join(machine, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(machine, name), 0o755);
}

function setUp(env: Record<string, string> = {}) {
  const { status, stderr } = spawnSync("/bin/sh", [SCRIPT], {
    env: { PATH: machine, ...env },
    encoding: "utf8",
  });
  return { status, stderr };
}

const aptCalls = () => (existsSync(join(machine, "told")) ? readFileSync(join(machine, "told"), "utf8") : "");

test("the set-up installs Debian's ffmpeg, as root with apt and without an ffmpeg", () => {
  expect(setUp()).toEqual({ status: 0, stderr: "Installing Debian's ffmpeg\n" });
  expect(aptCalls()).toMatch(/ update\n.* install -y --no-install-recommends ffmpeg\n$/);
});

test("an ffmpeg older than 5 counts as missing", () => {
  has("ffmpeg", 'echo "ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright (c)"');
  setUp();
  expect(aptCalls()).toContain("install");
});

test.for([
  [
    "with an ffmpeg of Debian's",
    () => has("ffmpeg", 'echo "ffmpeg version 5.1.6-0+deb12u1 Copyright (c)"'),
    {},
  ],
  ["with one built from a release", () => has("ffmpeg", 'echo "ffmpeg version n7.1 Copyright (c)"'), {}],
  ["with FFMPEG_PATH", () => {}, { FFMPEG_PATH: "/opt/ffmpeg" }],
  ["as another user than root", () => has("id", "echo 1000"), {}],
  ["without apt", () => rmSync(join(machine, "apt-get")), {}],
] as const)("%s the set-up installs nothing and says nothing", ([, prepare, env]) => {
  prepare();
  expect(setUp(env)).toEqual({ status: 0, stderr: "" });
  expect(aptCalls()).toBe("");
});

test("a failed installation is said, and left to the start to refuse", () => {
  has("apt-get", "exit 100");
  const { status, stderr } = setUp();
  expect([status, stderr]).toEqual([0, expect.stringContaining("ffmpeg could not be installed")]);
});
