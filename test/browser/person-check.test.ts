import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, uniqueName } from "../support/browser.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser } from "./browser.ts";
import { startSiteHosts } from "./site-hosts.ts";

const browser = launchBrowser();
let site: Awaited<ReturnType<typeof startSiteHosts>>;
beforeAll(async () => {
  site = await startSiteHosts("localhost", { PROOF_OF_WORK: "on" });
});
afterAll(() => site?.stop());

const RUNNING = "Checking that you are a person takes a second or two.";
const DONE = "The check that you are a person is done.";

const open = async () => {
  const { page, complaints } = await browser.visit(`${site.auth}/signup?next=/settings`);
  const name = uniqueName();
  return { page, complaints, name, state: page.getByRole("status").filter({ hasText: "person" }) };
};

test("by keyboard alone: the check begins while somebody types, says so, and lets the form go", async () => {
  const { page, complaints, name, state } = await open();
  expect(await state.count()).toBe(0);
  await page.getByLabel("Username").focus();
  await page.keyboard.type(name);
  await expect.poll(() => state.textContent()).toBe(DONE);
  for (const words of [`${name}@example.com`, PASSWORD]) {
    await page.keyboard.press("Tab");
    await page.keyboard.type(words);
  }
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/settings/);
  expect(complaints).toEqual([]);
});

test("a form that is sent at once waits for its check, and goes by itself", async () => {
  const { page, name, state } = await open();
  expect(await faultsOfAccess(page)).toEqual([]);
  // Holds the answer back until the form was sent.
  await page.route("**/proof-worker.client.js", async (route) => {
    await page.getByRole("button", { name: "Create account" }).click();
    await expect.poll(() => state.textContent()).toBe(RUNNING);
    await route.continue();
  });
  await page.getByLabel("Username").fill(name);
  await page.getByLabel("E-mail address").fill(`${name}@example.com`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.waitForURL(/\/settings/);
});

test("after Back the form has a check of its own, whatever the browser put back into it", async () => {
  const { page, name } = await open();
  const fill = async (email: string) => {
    await page.getByLabel("Username").fill(name);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
  };
  await fill("nobody@localhost");
  await page.getByRole("alert").waitFor();
  await page.goBack();
  await fill(`${name}@example.com`);
  await page.waitForURL(/\/settings/);
});

test("without its script the form says that it needs scripts", async () => {
  const { page } = await browser.visit(`${site.auth}/signup`, { javaScriptEnabled: false });
  const words = page.locator("noscript p");
  await words.waitFor();
  expect(await words.textContent()).toContain("Creating an account needs scripts");
});

test("a check that cannot run says so", async () => {
  const { page, state } = await open();
  await page.route("**/proof-worker.client.js", (route) => route.abort());
  await page.getByLabel("Username").focus();
  await expect
    .poll(() => state.textContent())
    .toBe("The check that you are a person did not run. Open this page again.");
});
