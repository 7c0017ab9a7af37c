import { beforeAll, expect, test } from "vitest";
import { createUser, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, looks, overflow, paused, playsPast, styleOf } from "./browser.ts";
import { barButton, createSet, titleInBar } from "./player.ts";

/** A set's page opens like a record, and plays it whole. */

const browser = launchBrowser();
let ana: Person;
let address: string;

beforeAll(async () => {
  ana = await createUser();
  const { set } = await createSet(ana, ["First light", "أغنية", "Last light"], { sharing: "public" });
  address = set.permalink_url;
});

test("is heard from its header and mixed beside it, and the row of the track that plays is marked", async () => {
  const { page, complaints } = await browser.visit(address);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Play A set" }).click();
  await playsPast(page, 0);
  expect(await titleInBar(page)).toBe("First light");
  const marked = main.locator(".row:has([data-plays])");
  expect(await marked.locator(".row-place").textContent()).toBe("1");
  // No pointer rests on it.
  await expect.poll(() => styleOf(page, ".row [data-plays]", "opacity")).toBe("1");
  await barButton(page, "Next track").click();
  await expect.poll(() => marked.locator(".row-place").textContent()).toBe("2");
  await main.getByRole("button", { name: "Pause A set" }).click();
  await expect.poll(() => paused(page)).toBe(true);
  await main.getByRole("button", { name: "Shuffle A set" }).click();
  await playsPast(page, 0);
  const isMixed = "JSON.parse(sessionStorage.getItem('player')).order !== undefined";
  await expect.poll(() => page.evaluate(isMixed)).toBe(true);
  expect(complaints).toEqual([]);
});

test("is heard from its card and from its row, and goes into the queue from the row's menu", async () => {
  const { page } = await browser.visit(`${stack.urls.api}/${ana.username}/sets`);
  await page.getByRole("main").getByRole("button", { name: "Play A set" }).click();
  await playsPast(page, 0);
  expect(await titleInBar(page)).toBe("First light");
  await page.goto(`${stack.urls.api}/${ana.username}`);
  await page.getByRole("main").getByRole("button", { name: "Play Last light" }).click();
  await page.goto(address);
  await page.getByRole("main").locator('.record-head [aria-label="More: A set"]').click();
  await page.locator(".more[open]").getByRole("button", { name: "Play next" }).click();
  const queue = () =>
    page.evaluate<string[]>("JSON.parse(sessionStorage.getItem('player')).entries.map(({ title }) => title)");
  await expect.poll(async () => (await queue()).slice(1, 3)).toEqual(["First light", "أغنية"]);
});

test("a number becomes a play button at the focus, and keeps its place for a finger", async () => {
  const { page } = await browser.visit(address);
  const play = page.getByRole("main").locator(".row").first().locator("a.play-button");
  await play.focus();
  await expect.poll(() => styleOf(page, ".row a.play-button", "opacity")).toBe("1");
  expect(await styleOf(page, ".row-place", "opacity")).toBe("0");
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const touched = await browser.visit(address, phone);
  expect(await styleOf(touched.page, ".row-place", "opacity")).toBe("1");
  await touched.page.locator(".row a.play-button").first().tap();
  await playsPast(touched.page, 0);
});

test.for(looks(320, 1440))("fits and can be used by everybody, %i px, %s", async ([width, colorScheme]) => {
  const { page, complaints } = await browser.visit(address, {
    colorScheme,
    viewport: { width, height: 900 },
  });
  expect([await overflow(page), await faultsOfAccess(page), complaints]).toEqual([0, [], []]);
});
