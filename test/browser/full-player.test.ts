import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createComment } from "../api/comments/comments.support.ts";
import { createUser, type Person } from "../support/people.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, paused, playsPast, position } from "./browser.ts";
import { bar, barButton, createSet, openFull, playIn, titleInBar } from "./player.ts";

/** The player over the whole window. */

const browser = launchBrowser();
let ana: Person;
let set: Playlist;
let tracks: Track[];

beforeAll(async () => {
  ana = await createUser();
  ({ set, tracks } = await createSet(ana, ["One", "Two"]));
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function playing(options = {}) {
  const visit = await browser.visit(set.permalink_url, { ...PHONE, ...options });
  await playIn(visit.page, "One").tap();
  await playsPast(visit.page, 0);
  return visit;
}

async function swipe(page: Page, [x, from]: [number, number], to: number) {
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x, y: from }]);
  for (const share of [0.3, 0.6, 1]) await touch("touchMove", [{ x, y: from + (to - from) * share }]);
  await touch("touchEnd", []);
}

const full = (page: Page) => page.getByRole("dialog", { name: "Now playing" });
const entries = (page: Page) => page.evaluate<number>("history.length");

test("a press on the title opens it, its buttons act, and its button closes it while the music plays on", async () => {
  const { page, complaints } = await playing();
  const title = await bar(page).locator(".deck-title").boundingBox();
  await page.touchscreen.tap((title?.x ?? 0) + 10, (title?.y ?? 0) + 10);
  await full(page).waitFor();
  expect(await full(page).getByRole("link", { name: "One" }).getAttribute("href")).toBe(
    tracks[0]?.permalink_url,
  );
  await full(page).getByRole("button", { name: "Next track" }).tap();
  await expect.poll(() => titleInBar(page)).toBe("Two");
  await playsPast(page, 0);
  await full(page).getByRole("button", { name: "Pause" }).tap();
  await expect.poll(() => paused(page)).toBe(true);
  await full(page).getByRole("button", { name: "Play", exact: true }).tap();
  await playsPast(page, 0);
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
  await full(page).getByRole("button", { name: "Close the player" }).tap();
  await full(page).waitFor({ state: "hidden" });
  expect([await paused(page), new URL(page.url()).pathname]).toEqual([
    false,
    new URL(set.permalink_url).pathname,
  ]);
  expect(complaints).toEqual([]);
});

test("a finger seeks on a slider of 44 pixels", async () => {
  const { page } = await playing();
  await openFull(page);
  // It has come to rest.
  await expect.poll(async () => (await full(page).boundingBox())?.y).toBe(0);
  const slider = full(page).getByRole("slider", { name: "Seek" });
  const { x, y, width, height } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  expect(height).toBe(44);
  await full(page).getByRole("button", { name: "Pause" }).tap();
  await expect.poll(() => paused(page)).toBe(true);
  await page.touchscreen.tap(x + width / 2, y + 8);
  await expect.poll(() => position(page)).toBeCloseTo(3.65, 0);
});

test("Back closes it and stays on the page, whose visit Turbo does not repeat", async () => {
  const { page, complaints } = await playing();
  await page.evaluate("document.querySelector('main').dataset.same = 'yes'");
  const before = await entries(page);
  await openFull(page);
  await page.goBack();
  await full(page).waitFor({ state: "hidden" });
  await playsPast(page, 0.5);
  expect(await page.evaluate("document.querySelector('main').dataset.same")).toBe("yes");
  // Closed in any other way, it leaves nothing for Back to undo.
  await openFull(page);
  await page.keyboard.press("Escape");
  await full(page).waitFor({ state: "hidden" });
  await expect.poll(() => page.evaluate("history.state.isPlayerOpen ?? false")).toBe(false);
  expect(await entries(page)).toBe(before + 1);
  expect(complaints).toEqual([]);
});

test("a link in it leads on, and Back from there to the page before, with the music playing", async () => {
  const { page } = await playing();
  await openFull(page);
  await full(page).getByRole("link", { name: "One" }).tap();
  await page.getByRole("heading", { level: 1, name: "One" }).waitFor();
  await full(page).waitFor({ state: "hidden" });
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: set.title }).waitFor();
  await playsPast(page, 0.5);
  await page.evaluate("document.activeElement.blur()");
  expect(await full(page).isVisible()).toBe(false);
});

test("comments open over it, play their moments and follow the track, and a link in them leads on", async () => {
  const [one, two] = tracks;
  if (one) await createComment(ana, one, { body: "That bass", timestamp: 4_000 });
  if (two) await createComment(ana, two, { body: "Louder" });
  const { page, complaints } = await playing();
  await openFull(page);
  await full(page).getByRole("button", { name: "Pause" }).tap();
  await full(page).getByRole("button", { name: "Comments" }).tap();
  const sheet = page.getByRole("dialog", { name: "1 comment" });
  await sheet.getByText("That bass").waitFor();
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
  await sheet.getByRole("link", { name: "0:04" }).tap();
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(4);
  await page.evaluate("document.querySelector('.full .deck-next').click()");
  await sheet.getByText("Louder").waitFor();
  expect(await sheet.getByText("That bass").count()).toBe(0);
  await sheet.getByRole("link", { name: "Write a comment" }).tap();
  await page.getByRole("heading", { level: 1, name: "Two" }).waitFor();
  await full(page).waitFor({ state: "hidden" });
  await expect.poll(() => page.evaluate("document.querySelector('dialog[open]')")).toBe(null);
  expect(complaints).toEqual([]);
});

test("a swipe up from the bar opens it, and one down from the picture closes it", async () => {
  const { page } = await playing();
  const track = (await bar(page).locator(".deck-track").boundingBox()) ?? { x: 0, y: 0 };
  await swipe(page, [track.x + 60, track.y + 20], track.y - 80);
  await full(page).waitFor();
  await expect.poll(async () => (await full(page).boundingBox())?.y).toBe(0);
  await swipe(page, [195, 200], 240);
  expect(await full(page).isVisible()).toBe(true);
  await swipe(page, [195, 200], 420);
  await full(page).waitFor({ state: "hidden" });
  expect(await paused(page)).toBe(false);
});

test("keys act in it, and the focus stays within and returns", async () => {
  const { page } = await playing();
  await barButton(page, "Open the player").focus();
  await page.keyboard.press("Enter");
  await full(page).waitFor();
  await page.keyboard.press("Space");
  await expect.poll(() => paused(page)).toBe(true);
  for (let stops = 0; stops < 20; stops++) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate("Boolean(document.activeElement.matches('dialog *, body'))")).toBe(true);
  }
  await page.keyboard.press("Escape");
  await full(page).waitFor({ state: "hidden" });
  expect(await barButton(page, "Open the player").and(page.locator(":focus")).count()).toBe(1);
});

test.for([
  [320, 568],
  [844, 390],
])("all of it is reached in a window of %i × %i pixels", async ([width = 0, height = 0]) => {
  const { page } = await playing({ viewport: { width, height } });
  await openFull(page);
  expect(await overflow(page)).toBe(0);
  for (const name of ["Close the player", "Previous track", "Next track", "Shuffle", "Queue"])
    await full(page).getByRole("button", { name }).click({ trial: true });
  const picture = await full(page).locator("img").boundingBox();
  expect(picture?.width).toBeGreaterThan(100);
  expect(picture?.width).toBeCloseTo(picture?.height ?? 0, 0);
});
