import { beforeAll, expect, test } from "vitest";
import { api } from "../support/api.ts";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, looks, overflow, playsPast, tabTo } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { createSet, titleInBar } from "./player.ts";

const browser = launchBrowser();
const home = `${stack.urls.api}/`;
const RIGHT_TO_LEFT = "שחר בנמל: צלילי הגלים והצופר הישן";

/** Likes make the set the week's most liked. */
beforeAll(async () => {
  const ana = await createUser();
  const made = await createSet(ana, [RIGHT_TO_LEFT, "Donaudampfschifffahrts".repeat(9)]);
  await api.as(ana).put(`/playlists/${made.set.id}`, { json: { playlist: { title: RIGHT_TO_LEFT } } });
  const fans = await Promise.all(Array.from({ length: 12 }, () => createUser()));
  for (const fan of fans) await api.as(fan).post(`/likes/playlists/${made.set.id}`);
});

const play = `.landing-lead a.button[data-play-set]`;

test("a visitor hears the release that leads by the one filled button", async () => {
  const { page, complaints } = await browser.visit(home);
  await page.locator(play).click();
  await playsPast(page, 0.2);
  expect(await titleInBar(page)).toBe(RIGHT_TO_LEFT);
  await expect.poll(() => page.locator(play).getAttribute("aria-label")).toBe(`Pause ${RIGHT_TO_LEFT}`);
  expect(await page.locator("main .button:not(.quiet)").count()).toBe(1);
  expect(complaints).toEqual([]);
});

test("and by keyboard: the button, then a card", async () => {
  // Other files' tracks soon push those of the set off the list.
  const latest = await finishedTrack(await createUser(), { title: "Just out" });
  const { page } = await browser.visit(home);
  await tabTo(page, play);
  await page.keyboard.press("Space");
  await playsPast(page, 0.2);
  const card = page.getByRole("list", { name: "New tracks" }).locator(`a[data-play="${latest.id}"]`);
  await card.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => titleInBar(page)).toBe(latest.title);
  await playsPast(page, 0.2);
});

for (const [width, colorScheme] of looks(320, 1440))
  test(`fits ${width} pixels, ${colorScheme}, is for everybody, and nothing moves`, async () => {
    const touch = width === 320 && { isMobile: true, hasTouch: true };
    const options = { viewport: { width, height: 800 }, colorScheme, ...touch };
    const { page, complaints } = await browser.visit("about:blank", options);
    await page.addInitScript(
      `globalThis.moved = 0; new PerformanceObserver((list) => { for (const { value } of list.getEntries()) moved += value; })
        .observe({ type: "layout-shift", buffered: true });`,
    );
    await page.goto(home, { waitUntil: "networkidle" });
    expect(await page.evaluate("moved")).toBe(0);
    expect(await overflow(page)).toBe(0);
    expect(await faultsOfAccess(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

test("its links lead on without script", async () => {
  const { page } = await browser.visit(home, { javaScriptEnabled: false });
  await page.locator(play).click();
  await page.getByRole("heading", { level: 1, name: RIGHT_TO_LEFT }).waitFor();
});
