import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createComment } from "../api/comments/comments.support.ts";
import { api } from "../support/api.ts";
import { createForm, createPng } from "../support/images.ts";
import { createUser, type Person } from "../support/people.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, paused, playsPast, position, slowDown } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
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

const SLOWLY = { ...PHONE, prepare: slowDown };

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

/** A track with chapters, of which one has a picture. */
async function chaptered(): Promise<Track> {
  const track = await finishedTrack(ana, { title: "Talk" });
  const path = `/tracks/${track.id}/chapters`;
  const chapters = [
    { startTime: 0, title: "Begin" },
    { startTime: 2.5, title: "Middle", url: "https://example.com/" },
    { startTime: 5, title: "End" },
  ];
  await api.as(ana).put(path, { json: { chapters } });
  const form = createForm({ "chapter[picture_data]": await createPng(120, 120) });
  expect((await api.as(ana).put(`${path}/2500/picture`, form)).status).toBe(200);
  return track;
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
  const { page, complaints } = await playing(SLOWLY);
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

test("chapters open over it, the present one is marked, and a press or a key plays from one", async () => {
  const track = await chaptered();
  const { page, complaints } = await browser.visit(track.permalink_url, SLOWLY);
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  await playsPast(page, 0);
  await openFull(page);
  await full(page).getByRole("button", { name: "Chapters" }).tap();
  const sheet = page.getByRole("dialog", { name: "Chapters" });
  const present = sheet.locator(".chapter[aria-current=true]");
  await expect.poll(() => present.allTextContents()).toEqual([expect.stringContaining("Begin")]);
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
  const width = "document.querySelector('#deck-chapters img').naturalWidth";
  await expect.poll(() => page.evaluate<number>(width)).toBeGreaterThan(0);
  expect(await sheet.getByRole("link", { name: "example.com" }).count()).toBe(0);
  await sheet.getByRole("link", { name: "Middle" }).tap();
  await playsPast(page, 2.5);
  await expect.poll(() => present.allTextContents()).toEqual([expect.stringContaining("Middle")]);
  await page.evaluate("document.querySelector('html > audio').pause()");
  await sheet.getByRole("link", { name: "End" }).focus();
  await page.keyboard.press("Enter");
  await playsPast(page, 5);
  await expect.poll(() => present.allTextContents()).toEqual([expect.stringContaining("End")]);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
  expect(await full(page).isVisible()).toBe(true);
  expect(complaints).toEqual([]);
});

test("the button of chapters is there only for a track that has some, and an open sheet follows the track", async () => {
  const { id } = await chaptered();
  const [one] = tracks;
  const json = { playlist: { title: "Mixed", tracks: [{ id }, { id: one?.id }] } };
  const mixed = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
  const { page } = await browser.visit(mixed.permalink_url, SLOWLY);
  const button = full(page).getByRole("button", { name: "Chapters" });
  await playIn(page, "One").tap();
  await playsPast(page, 0);
  await openFull(page);
  expect(await button.isVisible()).toBe(false);
  await full(page).getByRole("button", { name: "Previous track" }).tap();
  await button.tap();
  const sheet = page.getByRole("dialog", { name: "Chapters" });
  await sheet.getByRole("link", { name: "Begin" }).waitFor();
  await page.evaluate("document.querySelector('.full .deck-next').click()");
  await sheet.getByText("This track has no chapters.").waitFor();
  await sheet.getByRole("button", { name: "Close: Chapters" }).tap();
  await button.waitFor({ state: "hidden" });
});

test("the present chapter stands beside the title and opens the list, and the system's controls know them all", async () => {
  const track = await chaptered();
  const { page, complaints } = await browser.visit(track.permalink_url, { prepare: slowDown });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const inBar = bar(page)
    .locator(".deck-row")
    .getByRole("button", { name: /^Chapter:/ });
  await expect.poll(() => inBar.allTextContents()).toEqual(["Chapter: Begin"]);
  expect(
    await page.evaluate("navigator.mediaSession.metadata.chapterInfo.map((c) => [c.startTime, c.title])"),
  ).toEqual([
    [0, "Begin"],
    [2.5, "Middle"],
    [5, "End"],
  ]);
  expect(await page.evaluate("navigator.mediaSession.metadata.title")).toBe("Talk");
  await inBar.focus();
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog", { name: "Chapters" });
  await sheet.getByRole("link", { name: "End" }).click();
  await expect.poll(() => inBar.allTextContents()).toEqual(["Chapter: End"]);
  await sheet.getByRole("button", { name: "Close: Chapters" }).click();
  await openFull(page);
  const inFull = full(page).getByRole("button", { name: "Chapter: End" });
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
  await inFull.click();
  await sheet.waitFor();
  expect(complaints).toEqual([]);
});

test("a sheet says that its part of the page did not come, offline too", async () => {
  const track = await chaptered();
  const { page } = await browser.visit(track.permalink_url, SLOWLY);
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  await playsPast(page, 0);
  await openFull(page);
  await page.route(track.permalink_url, (route) =>
    route.fulfill({ contentType: "text/html", body: "<main>You are offline</main>" }),
  );
  await full(page).getByRole("button", { name: "Chapters" }).tap();
  const sheet = page.getByRole("dialog", { name: "Chapters" });
  await sheet.getByText("The chapters could not be loaded.").waitFor();
  await page.unroute(track.permalink_url);
  await page.route(track.permalink_url, (route) => route.abort());
  await sheet.getByRole("button", { name: "Close: Chapters" }).tap();
  await full(page).getByRole("button", { name: "Comments" }).tap();
  await page.getByText("The comments could not be loaded.").waitFor();
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
