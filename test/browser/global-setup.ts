import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { TestProject } from "vitest/node";
import { isFull } from "../support/repeats.ts";

/** The same engine without a browser's windows. Its pages take half the processor's time, so only a full run asks for the whole. */
const SHELL = "/usr/bin/chromium-headless-shell";

const BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const USUAL_PLACES = isFull ? BROWSERS : [SHELL, ...BROWSERS];

const INSTALL = [
  ["apt-get", "update"],
  ["apt-get", "install", "-y", "--no-install-recommends", isFull ? "chromium" : basename(SHELL)],
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
  const present = given() ?? found();
  if (!present && project.name === "journey")
    console.error(`No Chromium found: the journey in a browser is left out. To install one: ${asCommand}`);
  project.provide("chromium", present ?? (project.name === "journey" ? undefined : installed()));
}

function given(): string | undefined {
  const path = process.env.CHROMIUM_PATH;
  if (path && !existsSync(path)) throw new Error(`CHROMIUM_PATH is ${path}, where nothing is`);
  return path || undefined;
}

const found = () => USUAL_PLACES.find((path) => existsSync(path));

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
  const path = found();
  if (!path)
    throw new Error(
      `The browser tests need Chromium. Set CHROMIUM_PATH to a Chromium or Chrome, or install one:\n  ${asCommand}`,
    );
  return path;
}
