import { expect, test } from "vitest";
import { PASSWORD } from "../support/browser.ts";
import { createUserWithPassword } from "../support/people.ts";
import { createTrack } from "../support/tracks.ts";
import { threeHosts } from "../web/site/three-hosts.ts";
import { launchBrowser } from "./browser.ts";
import { signInByForm } from "./sign-in.ts";

const browser = launchBrowser();
const service = await threeHosts();

test("an owner signs in on another host, comes back to a private track, sets a new password, and signs out", async () => {
  const ana = await createUserWithPassword();
  await createTrack(ana, { title: "Diary", permalink: "diary", sharing: "private" });
  const address = `http://web.localhost:${service.port}/${ana.username}/diary`;
  const { page } = await browser.visit(address);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL(`http://auth.localhost:${service.port}/signin?**`);
  await signInByForm(page, ana);
  await page.getByRole("heading", { name: "Diary" }).waitFor();
  expect(page.url()).toBe(address);
  // The new password leads over both hosts, which the page's policy has to allow.
  await page.goto(`http://auth.localhost:${service.port}/settings`);
  await page.getByLabel("New password").fill("another horse battery");
  await page.locator('form[action="/settings/password"]').getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Your password is changed").waitFor();
  await page.goto(address);
  await page.getByRole("heading", { name: "Diary" }).waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`http://web.localhost:${service.port}/discover`);
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  // The page behind the link leads to another host.
  await tab.getByRole("link", { name: "Upload" }).first().click();
  await tab.waitForURL(`http://auth.localhost:${service.port}/signin?**`);
  await page.goto(address);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
});
