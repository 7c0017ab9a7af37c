import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "../support/api.ts";
import { createUser, createUserWithPassword } from "../support/people.ts";
import { createPlayableTrack } from "../support/tracks.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, tabTo } from "./browser.ts";
import { signInByForm } from "./sign-in.ts";
import { startSiteHosts } from "./site-hosts.ts";

const browser = launchBrowser();
let hosts: Awaited<ReturnType<typeof startSiteHosts>>;
beforeAll(async () => {
  hosts = await startSiteHosts();
});
afterAll(() => hosts?.stop());

test("the bell counts news, opens them by key, and forgets them in every tab", async () => {
  const [ana, fan] = [await createUserWithPassword(), await createUser()];
  const track = await createPlayableTrack(ana, { title: "شاطئ الليل", permalink: "shore" });
  await api.as(fan).post(`/likes/tracks/${track.id}`);
  await api.as(fan).put(`/me/followings/${ana.id}`);
  const { page, complaints } = await browser.visit(`${hosts.web}/session/new?next=/discover`, {
    viewport: { width: 320, height: 700 },
  });
  await signInByForm(page, ana);
  await page.waitForURL(`${hosts.web}/discover`);
  await page.getByRole("link", { name: "Notifications, 2 new" }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${hosts.web}/search?q=shore`);
  await other.getByRole("link", { name: "Notifications, 2 new" }).waitFor();
  // Links are fetched when a pointer rests on them, which is no look at the news.
  await other.locator("news-bell a").hover();
  await page.bringToFront();
  await page.reload();
  await page.getByRole("link", { name: "Notifications, 2 new" }).waitFor();

  await tabTo(page, "news-bell a");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Notifications" }).waitFor();
  expect(await page.locator(".news-row.new .badge").allTextContents()).toEqual(["New", "New"]);
  for (const tab of [page, other])
    await tab.getByRole("link", { name: "Notifications", exact: true }).first().waitFor();
  await expect.poll(() => other.locator(".bell-count").isVisible()).toBe(false);
  expect([await overflow(page), await faultsOfAccess(page), complaints]).toEqual([0, [], []]);

  // The track's page and back: what was new is not new again.
  await page.reload();
  await page.locator(".news-row").first().waitFor();
  expect(await page.locator(".news-row.new").count()).toBe(0);
});

test("a reader chooses mails by key", async () => {
  const ana = await createUserWithPassword();
  const { page, complaints } = await browser.visit(`${hosts.web}/session/new?next=/you/notifications/mails`);
  await signInByForm(page, ana);
  const likes = page.getByLabel("Likes and reposts");
  await likes.waitFor();
  expect(await likes.inputValue()).toBe("off");
  await tabTo(page, "#mails-likes");
  await page.keyboard.press("ArrowDown");
  await tabTo(page, "#main form .button");
  await page.keyboard.press("Enter");
  await page.getByText("Saved.").first().waitFor();
  expect(await likes.inputValue()).toBe("once");
  expect([await faultsOfAccess(page), complaints]).toEqual([[], []]);
});
