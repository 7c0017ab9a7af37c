import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import { api } from "../support/api.ts";
import { createUser, createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, playsPast, type VisitOptions } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { playIn, titleInBar } from "./player.ts";
import { signInByForm, storageStateOf } from "./sign-in.ts";

/** "…" of rows, and the dialog of "Add to set". */

const browser = launchBrowser();
let ana: Person;
let fan: Person;
let fanState: VisitOptions;
let ids: number[];
const RIGHT_TO_LEFT = "موسيقى الليل الطويل";

beforeAll(async () => {
  [ana, fan] = await Promise.all([createUser(), createUserWithPassword()]);
  const first = await finishedTrack(ana, { title: "Morning" });
  const others = [
    await finishedTrack(ana, { title: "Evening" }),
    await finishedTrack(ana, { title: RIGHT_TO_LEFT }),
    await finishedTrack(ana, { title: "Night" }),
  ];
  ids = [first, ...others].map(({ id }) => id);
  const json = { playlist: { title: "Held", tracks: [{ id: ids[0] }] } };
  await api.as(fan).post("/playlists", { json });
  const { page } = await browser.visit(`${stack.urls.api}/session/new?next=/terms`);
  await signInByForm(page, fan);
  await page.waitForURL("**/terms");
  fanState = { storageState: await storageStateOf(page) };
});

const profile = () => `${stack.urls.api}/${ana.username}`;
const visit = (options: VisitOptions = {}) => browser.visit(profile(), { ...fanState, ...options });
const menuOf = (page: Page, title: string) => page.getByRole("main").locator(`[aria-label="More: ${title}"]`);
const items = (page: Page) => page.locator(".more[open] li > *");
const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.ariaLabel ?? document.activeElement.textContent");
const isOpen = (page: Page) => page.locator(".more[open]").count();
const dialog = (page: Page) => page.getByRole("dialog", { name: "Add to a set" });
const setsOfFan = async () => (await api.as(fan).get<Playlist[]>("/me/playlists")).body;

test("a menu opens, is walked and closed by keys, and the focus returns to its button", async () => {
  const { page, complaints } = await visit();
  await menuOf(page, "Morning").focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("Play next");
  expect(await items(page).allTextContents()).toEqual([
    "Play next",
    "Add to queue",
    "Add to set",
    "Copy link",
    `Go to ${ana.username}`,
  ]);
  expect(await faultsOfAccess(page)).toEqual([]);
  for (const [key, words] of [
    ["ArrowDown", "Add to queue"],
    ["End", `Go to ${ana.username}`],
    ["ArrowDown", "Play next"],
    ["ArrowUp", `Go to ${ana.username}`],
    ["Home", "Play next"],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focused(page)).toBe(words);
  }
  await page.keyboard.press("Escape");
  expect([await isOpen(page), await focused(page)]).toEqual([0, "More: Morning"]);
  await page.keyboard.press("ArrowDown");
  expect(await focused(page)).toBe("Play next");
  // The focus leaves the menu at its end, and the menu closes.
  await page.keyboard.press("End");
  await page.keyboard.press("Tab");
  expect(await isOpen(page)).toBe(0);
  expect(complaints).toEqual([]);
});

test("tracks are put into the queue from their menus, next and last", async () => {
  const { page } = await visit();
  await playIn(page, "Morning").click();
  await playsPast(page, 0);
  for (const [title, item] of [
    ["Night", "Play next"],
    ["Evening", "Add to queue"],
  ] as const) {
    await menuOf(page, title).click();
    await items(page).filter({ hasText: item }).click();
    await expect.poll(() => isOpen(page)).toBe(0);
  }
  const queue = await page.evaluate<string[]>(QUEUED);
  // The list shows the newest first, so Morning was its end.
  expect(queue.slice(queue.indexOf("Morning"))).toEqual(["Morning", "Night", "Evening"]);
  expect(await titleInBar(page)).toBe("Morning");
});

const QUEUED = "JSON.parse(sessionStorage.getItem('player')).entries.map(({ title }) => title)";

test("a link is copied, and a press elsewhere closes the menu", async () => {
  const { page } = await visit({ permissions: ["clipboard-read", "clipboard-write"] });
  await menuOf(page, "Evening").click();
  await items(page).filter({ hasText: "Copy link" }).click();
  await page.getByText("Link copied").first().waitFor();
  const address = await menuOf(page, "Evening").locator("xpath=..").getAttribute("data-share");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(address);
  await expect.poll(() => isOpen(page)).toBe(0);
  await menuOf(page, "Evening").click();
  await items(page).first().waitFor();
  await page.getByRole("heading", { level: 1 }).click();
  expect(await isOpen(page)).toBe(0);
});

test("a menu stays within a low window, whatever the direction of its row's title", async () => {
  const { page } = await visit({ viewport: { width: 700, height: 420 } });
  for (const title of ["Morning", RIGHT_TO_LEFT]) {
    const button = menuOf(page, title);
    await button.evaluate((one) => one.scrollIntoView({ block: "end" }));
    await button.click();
    await items(page).first().waitFor();
    const box = await page.locator(".more[open] > ul").boundingBox();
    expect(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 700 && box.y + box.height <= 420).toBe(
      true,
    );
    await page.keyboard.press("Escape");
  }
});

test("on a phone the menu is a sheet for fingers, and a tap beside it does nothing else", async () => {
  const { page } = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await menuOf(page, "Evening").tap();
  await items(page).first().waitFor();
  const sheet = await page.locator(".more[open] > ul").boundingBox();
  expect([sheet?.x, sheet?.width, (sheet?.y ?? 0) + (sheet?.height ?? 0)]).toEqual([0, 390, 844]);
  for (const item of await items(page).all())
    expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  expect(await overflow(page)).toBe(0);
  await page.touchscreen.tap(195, 20);
  await expect.poll(() => isOpen(page)).toBe(0);
  expect(page.url()).toBe(profile());
});

test("a track is added to sets in a dialog, by keys, while the page and its music stay", async () => {
  const { page, complaints } = await visit();
  await playIn(page, "Morning").click();
  await playsPast(page, 0);
  await menuOf(page, "Evening").focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("Play next");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toMatch(/^Add Evening to Held/);
  expect(await faultsOfAccess(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toMatch(/^Remove Evening from Held/);
  expect((await setsOfFan())[0]?.tracks?.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toMatch(/^Add Evening to Held/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Fresh");
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("button", { name: "Remove Evening from Fresh" }).waitFor();
  await page.keyboard.press("Escape");
  expect([await dialog(page).count(), await focused(page)]).toEqual([0, "More: Evening"]);
  expect(page.url()).toBe(profile());
  expect(await titleInBar(page)).toBe("Morning");
  expect((await setsOfFan()).map(({ title }) => title).toSorted()).toEqual(["Fresh", "Held"]);
  expect(complaints).toEqual([]);
});

test("the dialog says why a set takes no track, and leads to the page of a track that is gone", async () => {
  const { page } = await visit();
  await page.route("**/you/acts/add-to-set/**", (route) =>
    route.fulfill({
      status: 422,
      contentType: "text/html",
      body: `<main><section class="message"><h1>That did not work</h1><p>It is full.</p></section></main>`,
    }),
  );
  await menuOf(page, "Night").click();
  await items(page).filter({ hasText: "Add to set" }).click();
  await dialog(page).getByRole("button", { name: "Add Night to Held" }).click();
  await dialog(page).getByRole("alert").filter({ hasText: "It is full." }).waitFor();
  await dialog(page).getByRole("button", { name: "Close" }).click();
  const link = "document.querySelector('a[data-add-to-set]')";
  await page.evaluate(`${link}.href = ${link}.href.replace(/=\\d+/, "=1")`);
  await page.getByRole("main").locator("[aria-label^='More: ']").first().click();
  await items(page).filter({ hasText: "Add to set" }).click();
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
});

test("a visitor is asked to sign in before a track is added to a set", async () => {
  const { page } = await browser.visit(profile());
  await menuOf(page, "Evening").click();
  await items(page).filter({ hasText: "Add to set" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Sign in" }).waitFor();
});
