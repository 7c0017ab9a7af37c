import { beforeAll, expect, test } from "vitest";
import { api } from "../support/api.ts";
import { createUser, createUserWithPassword } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { launchBrowser, looks, overflow, styleOf } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { signedIn } from "./upload.support.ts";

const browser = launchBrowser();

const addresses: Record<string, string> = { home: "/", reference: "/docs", "not found": "/nobody/nothing" };

beforeAll(async () => {
  const unbroken = `${"Donaudampfschifffahrts".repeat(8)} & others`;
  const track = await finishedTrack(await createUserWithPassword(), {
    title: unbroken,
    artist: unbroken,
    tag_list: unbroken,
  });
  addresses.track = new URL(track.permalink_url).pathname;
});

for (const [width, colorScheme] of looks(320, 1280)) {
  const touch = width === 320 && { isMobile: true, hasTouch: true };
  const options = { viewport: { width, height: 640 }, colorScheme, ...touch };
  test.for(["home", "reference", "not found", "track"])(
    `the page %s fits ${width} pixels, ${colorScheme}`,
    async (name) => {
      const { page, complaints } = await browser.visit(stack.urls.api + addresses[name], options);
      expect(await overflow(page)).toBe(0);
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
      const background = await styleOf(page, "body", "backgroundColor");
      expect(background).toBe(colorScheme === "dark" ? "rgb(17, 18, 17)" : "rgb(251, 250, 247)");
      expect(complaints.filter((each) => !each.includes("status of 404"))).toEqual([]);
    },
  );
}

/** CSS pixels of the letters in fields where something is typed or chosen. */
const LETTERS = `[...document.querySelectorAll(":is(input, textarea):read-write, select")]
  .map((field) => [field.id || field.className, parseFloat(getComputedStyle(field).fontSize)])`;

test.for(["home", "reference", "not found", "track"])(
  "the page %s has no field with smaller letters than 16 pixels, to which iPhones zoom in and stay",
  async (name) => {
    const options = { viewport: { width: 390, height: 640 }, isMobile: true, hasTouch: true };
    const { page } = await browser.visit(stack.urls.api + addresses[name], options);
    const letters = await page.evaluate<[string, number][]>(LETTERS);
    expect(letters.length).toBeGreaterThan(0);
    expect(letters.filter(([, pixels]) => pixels < 16)).toEqual([]);
  },
);

/** Links and buttons of a page's frame that are lower than 44 CSS pixels, with their heights. */
const LOW = `[...document.querySelectorAll(".skip, .top .bar :is(a, button, summary), footer a, .bottom-bar a")]
  .map((one) => [one.textContent.trim(), one.getBoundingClientRect().height])
  .filter(([, height]) => height > 0 && height < 44)`;

test("fingers hit each link and button of the frame, which is 44 pixels high", async () => {
  const options = { viewport: { width: 390, height: 640 }, isMobile: true, hasTouch: true };
  const { page } = await browser.visit(`${stack.urls.api}/`, options);
  expect(await page.getByRole("contentinfo").getByRole("link").count()).toBeGreaterThan(3);
  expect(await page.evaluate(LOW)).toEqual([]);
});

test.each(["light", "dark"] as const)(
  "an owner's seven buttons stand in one row on a phone when they show counts, and the shop's has one below, in %s",
  async (colorScheme) => {
    const ana = await createUser();
    const track = await finishedTrack(ana);
    const shop = { purchase_url: "https://shop.example/", purchase_title: "Buy the record of this track" };
    expect((await api.as(ana).put(`/tracks/${track.id}`, { json: { track: shop } })).status).toBe(200);
    const fan = api.as(await createUser());
    for (const act of ["likes", "reposts"])
      expect((await fan.post(`/${act}/tracks/${track.id}`)).status).toBeLessThan(300);
    const touch = { viewport: { width: 390, height: 640 }, isMobile: true, hasTouch: true, colorScheme };
    const options = { ...(await signedIn(ana)), ...touch };
    const { page } = await browser.visit(`${stack.urls.api}/you/tracks`, options);
    await page.goto(stack.urls.api + new URL(track.permalink_url).pathname);
    const buttons = page.locator(".record-head .acts > :not(.buy)");
    const tops = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect([tops.length, new Set(tops).size, await overflow(page)]).toEqual([7, 1, 0]);
    expect(await page.locator(".acts .icon-words").filter({ hasText: /1$/ }).count()).toBe(2);

    const buy = page.getByRole("link", { name: shop.purchase_title });
    const [row, link] = [await page.locator(".record-head .acts").boundingBox(), await buy.boundingBox()];
    expect([link?.width, link?.height]).toEqual([row?.width, 44]);
    expect(link?.y).toBeGreaterThanOrEqual((tops[0] ?? 0) + 44);
    await page.getByRole("link", { name: "Download" }).focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.matches('.buy:focus-visible')")).toBe(true);
  },
);

test("Share opens below the row of its button, and Escape closes it and returns the focus", async () => {
  const options = { viewport: { width: 390, height: 640 } };
  const { page } = await browser.visit(stack.urls.api + addresses.track, options);
  const button = page.locator(".share > summary");
  await button.press("Enter");
  const field = page.getByLabel("Link", { exact: true });
  await field.focus();
  const first = page.getByRole("main").locator(".acts > *").first();
  expect((await button.boundingBox())?.y).toBe((await first.boundingBox())?.y);
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "hidden" });
  expect(await page.evaluate("document.activeElement.matches('.share > summary')")).toBe(true);
});

test("the overview of the docs links to each operation, whose page has its anchor", async () => {
  const { page } = await browser.visit(`${stack.urls.api}/docs`);
  const document = (await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as { paths: object };
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
  const links = page.locator(".operation-list a");
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(new Set(targets).size).toBe(operations.length);
  const pages = new Map<string, string>();
  for (const target of targets) {
    const [path = "", anchor = ""] = target.split("#");
    const html = pages.get(path) ?? (await (await fetch(stack.urls.api + path)).text());
    pages.set(path, html);
    expect([target, html.includes(`id="${anchor}"`)]).toEqual([target, true]);
    // Errors and bookmarks of the time when all operations stood on one page.
    expect(await page.locator(`[id="${anchor}"]`).count()).toBe(1);
  }
});
