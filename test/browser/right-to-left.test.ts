import type { Locator } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { launchBrowser, playsPast, styleOf } from "./browser.ts";
import { bar, createSet, openFull, playIn } from "./player.ts";

/** Titles and names of scripts that are written from right to left, where there is no room for all of them. */

const browser = launchBrowser();
const NAME = "שחר בנמל: צלילי הגלים והצופר הישן, הקלטות מן החורף";
let set: Awaited<ReturnType<typeof createSet>>["set"];
let track: string;

beforeAll(async () => {
  const made = await createSet(await createUser(), [NAME, "Second"], { artist: NAME });
  set = made.set;
  track = made.tracks[0]?.permalink_url ?? "";
});

/** Whether the first letter lies within the box that cuts the text off. */
const showsItsBeginning = (text: Locator) =>
  text.evaluate<boolean, unknown, { isConnected: boolean }>(
    new Function(
      "element",
      `const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
       const first = document.createRange();
       first.setStart(words, 0);
       first.setEnd(words, 1);
       const [letter, box] = [first.getBoundingClientRect(), element.getBoundingClientRect()];
       return letter.left >= box.left - 1 && letter.right <= box.right + 1;`,
    ) as never,
  );

test("the player's bar and its queue show their beginning", async () => {
  const { page } = await browser.visit(set.permalink_url, { viewport: { width: 390, height: 800 } });
  await playIn(page, NAME).click();
  await playsPast(page, 0.1);
  const full = await openFull(page);
  for (const part of [".full-title", ".full-artist"])
    expect(await showsItsBeginning(full.locator(part)), part).toBe(true);
  await full.getByRole("button", { name: "Queue" }).click();
  expect(await showsItsBeginning(bar(page).locator(".queue-artist").first())).toBe(true);
  for (const _ of ["the queue", "the player"]) await page.keyboard.press("Escape");
  for (const part of [".deck-title", ".deck-artist"])
    expect(await showsItsBeginning(bar(page).locator(part)), part).toBe(true);
});

test.for([166, 81])("an embedded player %i pixels high shows their beginning", async (height) => {
  const player = `${stack.urls.api}/player/?${new URLSearchParams({ url: track })}`;
  const { page } = await browser.visit(player, { viewport: { width: 450, height } });
  for (const part of ["h1", ".embed-author"])
    expect(await showsItsBeginning(page.locator(part)), part).toBe(true);
});

test("the list of an embedded set shows their beginning", async () => {
  const player = `${stack.urls.api}/player/?${new URLSearchParams({ url: set.permalink_url })}`;
  const { page } = await browser.visit(player, { viewport: { width: 450, height: 450 } });
  for (const part of [".listed-title", ".listed-artist"]) {
    expect(await showsItsBeginning(page.locator(part).first()), part).toBe(true);
    expect(await styleOf(page, part, "text-align"), part).toBe("left");
  }
  // A long name leaves room for the title.
  expect((await page.locator(".listed-title").first().boundingBox())?.width).toBeGreaterThan(120);
});
