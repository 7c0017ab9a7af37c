import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { TestProject } from "vitest/node";
import { CHROMIUM_SHELL, findChromium } from "../support/chromium.ts";
import { isFull } from "../support/repeats.ts";

const INSTALL = [
  ["apt-get", "update"],
  ["apt-get", "install", "-y", "--no-install-recommends", isFull ? "chromium" : basename(CHROMIUM_SHELL)],
] as const;

const asCommand = `sudo sh -c '${INSTALL.map((words) => words.join(" ")).join(" && ")}'`;

declare module "vitest" {
  interface ProvidedContext {
    /** The browser's path. `undefined` only for the journey of `npm test`, which goes on without. */
    chromium: string | undefined;
  }
}

/** Installs a browser, or fails with instructions, except for `npm test`, which says what it leaves out. */
export default function setUp(project: TestProject): void {
  const present = findChromium();
  if (!present && project.name === "journey")
    console.error(`No Chromium found: the journey in a browser is left out. To install one: ${asCommand}`);
  project.provide("chromium", present ?? (project.name === "journey" ? undefined : installed()));
}

/** Installs Chromium as root on a bare machine, as in CI. */
function installed(): string {
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.error("No Chromium found: installing Debian's for the browser tests");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    for (const [command, ...words] of INSTALL) {
      const { status, stderr } = spawnSync(command, words, { env, encoding: "utf8" });
      if (status !== 0) throw new Error(`${command} ${words.join(" ")} failed:\n${stderr}`);
    }
  }
  const path = findChromium();
  if (!path)
    throw new Error(
      `The browser tests need Chromium. Set CHROMIUM_PATH to a Chromium or Chrome, or install one:\n  ${asCommand}`,
    );
  return path;
}
