import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, paused, playsPast } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { bar, barButton, createSet, openFull, playIn, queued, titleInBar } from "./player.ts";
import { signedIn } from "./upload.support.ts";

/** The queue is the listener's. */

const browser = launchBrowser();
let ana: Person;
let set: Playlist;
let tracks: Track[];

beforeAll(async () => {
  ana = await createUserWithPassword();
  ({ set, tracks } = await createSet(ana, ["One", "Two", "Three", "Four"]));
});

const WIDE = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

async function openQueue(options = {}) {
  const visit = await browser.visit(set.permalink_url, { ...WIDE, ...options });
  await playIn(visit.page, "One").click();
  await playsPast(visit.page, 0);
  await barButton(visit.page, "Queue").click();
  await row(visit.page, "Two").waitFor();
  return visit;
}

const row = (page: Page, title: string) =>
  bar(page)
    .getByRole("listitem")
    .filter({ has: page.locator(".queue-title", { hasText: title }) });

const handleOf = (page: Page, title: string) => row(page, title).locator(".queue-handle");

async function middleOf(element: Locator) {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

test("a row that the mouse drags takes its new place, and the music plays on", async () => {
  const { page, complaints } = await openQueue();
  const [from, to] = [await middleOf(handleOf(page, "Four")), await middleOf(row(page, "Two"))];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 20, { steps: 3 });
  await page.mouse.move(to.x, to.y - 12, { steps: 5 });
  await page.mouse.up();
  expect(await queued(page)).toEqual(["One", "Four", "Two", "Three"]);
  expect(await paused(page)).toBe(false);
  await page.reload();
  expect(await queued(page)).toEqual(["One", "Four", "Two", "Three"]);
  await barButton(page, "Next track").click();
  await expect.poll(() => titleInBar(page)).toBe("Four");
  expect(complaints).toEqual([]);
});

test("a finger drags a row of the sheet on a phone", async () => {
  const { page } = await browser.visit(set.permalink_url, PHONE);
  await playIn(page, "One").tap();
  await playsPast(page, 0);
  const full = await openFull(page);
  await full.getByRole("button", { name: "Queue" }).tap();
  await row(page, "Four").waitFor();
  const [from, to] = [await middleOf(handleOf(page, "Two")), await middleOf(row(page, "Four"))];
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [from]);
  for (const share of [0.2, 0.5, 0.8, 1])
    await touch("touchMove", [{ x: from.x, y: from.y + (to.y + 12 - from.y) * share }]);
  await touch("touchEnd", []);
  await expect.poll(() => queued(page)).toEqual(["One", "Three", "Four", "Two"]);
});

test("keys move a row, and each move is said; buttons do where there are no keys", async () => {
  const { page } = await openQueue();
  await handleOf(page, "Three").focus();
  await page.keyboard.press("ArrowUp");
  await bar(page).getByText("“Three” is number 1 of 3 next up.").waitFor();
  await page.keyboard.press("ArrowUp");
  expect(await queued(page)).toEqual(["One", "Three", "Two", "Four"]);
  expect(await handleOf(page, "Three").and(page.locator(":focus")).count()).toBe(1);
  await row(page, "Three").locator(".queue-play").focus();
  await page.keyboard.press("Alt+ArrowDown");
  expect(await queued(page)).toEqual(["One", "Two", "Three", "Four"]);
  await handleOf(page, "Two").click();
  await barButton(page, "Move Two down").click();
  await barButton(page, "Move Two down").click();
  expect(await queued(page)).toEqual(["One", "Three", "Four", "Two"]);
  expect(await faultsOfAccess(page)).toEqual([]);
});

test("what was played stays within reach, and a cleared queue ends with what plays", async () => {
  const { page } = await openQueue();
  await barButton(page, "Next track").click();
  await expect.poll(() => titleInBar(page)).toBe("Two");
  await bar(page).getByText("Played", { exact: true }).click();
  expect(await bar(page).locator(".queue-played .queue-title").allTextContents()).toEqual(["One"]);
  await barButton(page, "Clear").click();
  expect(await queued(page)).toEqual(["One", "Two"]);
  expect(await barButton(page, "Clear").isDisabled()).toBe(true);
  await bar(page).getByText("Nothing follows.").waitFor();
});

test("a queue is saved once as a private set, without what only a private link opens", async () => {
  const bea = await createUserWithPassword();
  const hidden = await finishedTrack(ana, { title: "Hidden", sharing: "private" });
  const { page, complaints } = await browser.visit(`${stack.urls.api}/you/tracks`, {
    ...WIDE,
    ...(await signedIn(bea)),
  });
  await page.goto(`${hidden.permalink_url}/${hidden.secret_token}`);
  await page.getByRole("main").getByRole("button", { name: "Play", exact: true }).first().click();
  await playsPast(page, 0);
  await page.evaluate(`{
    const button = document.createElement("button");
    Object.assign(button.dataset, { queueNext: ${tracks[1]?.id}, title: "Two" });
    document.querySelector("main").prepend(button);
    button.click();
  }`);
  await barButton(page, "Queue").click();
  await page.getByLabel("Title of the new set").fill("Evenings");
  await barButton(page, "Save as a set").dblclick();
  await bar(page).getByText("is left out, because only a private link opens them").waitFor();
  await bar(page).getByRole("link", { name: "Open the set" }).click();
  await page.getByRole("heading", { level: 1, name: "Evenings" }).waitFor();
  await playsPast(page, 0);
  const { body } = await api.as(bea).get<Playlist[]>("/me/playlists");
  expect(body.map(({ title, sharing }) => [title, sharing])).toEqual([["Evenings", "private"]]);
  const saved = (await api.as(bea).get<Track[]>(`/playlists/${body[0]?.id}/tracks`)).body;
  expect(saved.map(({ title }) => title)).toContain("Two");
  expect(saved.map(({ title }) => title)).not.toContain("Hidden");
  expect(complaints).toEqual([]);
});

test("the heart of the bar likes the track that plays, and the page's heart follows", async () => {
  const bea = await createUserWithPassword();
  const { page } = await browser.visit(`${stack.urls.api}/you/tracks`, { ...WIDE, ...(await signedIn(bea)) });
  await page.goto(set.permalink_url);
  await playIn(page, "Two").click();
  await playsPast(page, 0);
  const heart = barButton(page, "Like");
  await heart.click();
  await bar(page).page().getByText("“Two” is among your likes.").waitFor();
  const rows = page.getByRole("main").getByRole("button", { name: "Liked: Two" });
  expect(await rows.getAttribute("aria-pressed")).toBe("true");
  await page.reload();
  expect(await heart.getAttribute("aria-pressed")).toBe("true");
  await rows.click();
  await expect.poll(() => heart.getAttribute("aria-pressed")).toBe("false");
  await barButton(page, "Next track").click();
  await heart.click();
  await page.getByText("“Three” is among your likes.").waitFor();
  await page.goto(stack.urls.api);
  await expect.poll(() => heart.getAttribute("aria-pressed")).toBe("true");
});

test("the sleep timer pauses at the end of the track", async () => {
  const { page } = await openQueue();
  await barButton(page, "Player settings").click();
  await bar(page).getByLabel("Sleep timer").selectOption("At the end of the track");
  await page.keyboard.press("Escape");
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("9");
  await page.getByText("The sleep timer has paused the music.").waitFor();
  expect([await titleInBar(page), await paused(page)]).toEqual(["One", true]);
  await barButton(page, "Next track").click();
  await expect.poll(() => titleInBar(page)).toBe("Two");
});

test("the slash key searches, and the question mark lists the keys, unless keys are off", async () => {
  const { page } = await browser.visit(set.permalink_url, WIDE);
  await page.keyboard.press("/");
  expect(await page.locator("#search").and(page.locator(":focus")).count()).toBe(1);
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.getByText("Previous or next track").waitFor();
  expect(await faultsOfAccess(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });
  await playIn(page, "One").click();
  await barButton(page, "Player settings").click();
  await page.getByLabel("Control the player by keys everywhere").uncheck();
  await page.keyboard.press("Escape");
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("/");
  await page.keyboard.press("?");
  expect(await page.locator("#search").and(page.locator(":focus")).count()).toBe(0);
  expect([await keys.count(), await overflow(page)]).toEqual([0, 0]);
});
