import { expect } from "vitest";
import { type Browser, PASSWORD } from "../../support/browser.ts";

export const PATH = "/settings/tokens";

export const VALID = { name: "Nightly upload", may_read: "on", days: "30", current_password: PASSWORD };

export const EVERYTHING = { "may_*": "on" };

/** Makes a token, and returns it as the page shows it once. */
export async function make(browser: Browser, fields: Record<string, string> = {}): Promise<string> {
  const { status, html } = await browser.submit(PATH, PATH, { ...VALID, ...fields });
  expect(status).toBe(200);
  return /id="token">(pt_[\w.-]+)</.exec(html)?.[1] ?? "";
}
