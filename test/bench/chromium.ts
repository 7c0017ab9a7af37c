import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../support/chromium.ts";

export function chromiumPath(): string {
  const path = findChromium();
  if (!path) throw new Error("This row needs Chromium. Set CHROMIUM_PATH to one, or install it.");
  return path;
}

export const launchChromium = (...further: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), headless: true, args: ["--no-sandbox", ...further] });
