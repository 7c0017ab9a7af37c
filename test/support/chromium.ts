import { existsSync } from "node:fs";
import { isFull } from "./repeats.ts";

/** The same engine without a browser's windows. Its pages take half the processor's time, so only a full run asks for the whole. */
export const CHROMIUM_SHELL = "/usr/bin/chromium-headless-shell";

const BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const USUAL_PLACES = isFull ? BROWSERS : [CHROMIUM_SHELL, ...BROWSERS];

/** Returns the path that `CHROMIUM_PATH` names, else a browser in the usual places, else nothing. */
export function findChromium(): string | undefined {
  const path = process.env.CHROMIUM_PATH;
  if (path && !existsSync(path)) throw new Error(`CHROMIUM_PATH is ${path}, where nothing is`);
  return path || USUAL_PLACES.find((usual) => existsSync(usual));
}
