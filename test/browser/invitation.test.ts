import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { PASSWORD, uniqueName } from "../support/browser.ts";
import { createUser } from "../support/people.ts";
import { createPlayableTrack } from "../support/tracks.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow } from "./browser.ts";
import { openAsOperator } from "./operator.support.ts";
import { startSiteHosts } from "./site-hosts.ts";

const browser = launchBrowser();
const PHONE = { viewport: { width: 390, height: 800 } };

/** A public server, where nobody comes in unasked. */
let site: Awaited<ReturnType<typeof startSiteHosts>>;
let song: Track;

beforeAll(async () => {
  site = await startSiteHosts("localhost", {
    REGISTRATION: "invite",
    REGISTRATION_CONTACT: "hello@example.com",
  });
  const owner = await createUser();
  const { id } = await createPlayableTrack(owner, { title: "Harbour" });
  song = (await api.as(owner).get<Track>(`/tracks/${id}`)).body;
});
afterAll(() => site.stop());

/** Makes an invitation for one on the operators' pages, and returns its path. */
async function inviteByPage(note: string): Promise<string> {
  const { page, complaints } = await openAsOperator(browser, PHONE);
  await page.getByRole("link", { name: "Invitations" }).click();
  await page.getByRole("heading", { level: 1, name: "Invitations" }).waitFor();
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
  await page.getByLabel("Note").fill(note);
  await page.getByRole("button", { name: "Make an invitation" }).click();
  await page.getByRole("heading", { name: "Invitation made" }).waitFor();
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
  const link = new URL((await page.locator("code.secret").textContent()) ?? "");
  await page.getByRole("link", { name: "To the invitations" }).click();
  await page.getByText(note).first().waitFor();
  expect(complaints).toEqual([]);
  return link.pathname + link.search;
}

async function signUp(page: Page, name: string): Promise<void> {
  await page.getByLabel("Username").fill(name);
  await page.getByLabel("E-mail address").fill(`${name}@example.com`);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
}

const like = (page: Page) =>
  page.getByRole("main").getByRole("button", { name: "Like", exact: true }).first().click();

test("an operator invites, the guest signs up, is asked to confirm before the first like, and likes", {
  timeout: 300_000,
}, async () => {
  const name = uniqueName();
  const invitation = await inviteByPage(`For ${name}`);

  const { page } = await browser.visit(site.web, PHONE);
  await page.getByText("is by invitation").first().waitFor();
  expect(await page.getByRole("link", { name: /sign up|create an account/i }).count()).toBe(0);
  await page.goto(`${site.auth}/signin`);
  await page.getByRole("link", { name: "I have an invitation" }).click();
  await page.getByLabel("Invitation").waitFor();
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);

  await page.goto(site.auth + invitation);
  await signUp(page, name);
  await page.getByText("Your account is ready.").waitFor();
  expect(await page.getByText("Until you open the link").count()).toBe(1);
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);

  const path = new URL(song.permalink_url).pathname;
  await page.goto(`${site.web}/session/new?next=${path}`);
  await like(page);
  await page.getByRole("heading", { name: "Confirm your e-mail address first" }).waitFor();
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);

  await expect.poll(() => site.mailedLink(`${name}@example.com`)).toContain("/confirm");
  await page.goto(await site.mailedLink(`${name}@example.com`));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
  await page.goto(site.web + path);
  await like(page);
  await page.getByRole("main").locator("button[aria-pressed=true]").first().waitFor();

  const { page: another } = await browser.visit(site.auth + invitation, PHONE);
  await another.getByText("was used as often as it may be").first().waitFor();
});
