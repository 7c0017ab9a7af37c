import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createUserWithPassword } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { launchBrowser, playsPast } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
let track: Track;

beforeAll(async () => {
  track = await finishedTrack(await createUserWithPassword(), { title: "Spoken in a browser" });
});

const ownPage = () => track.permalink_url;
const embedded = () => `${stack.urls.api}/player/?url=${encodeURIComponent(track.permalink_url)}`;

test.for([
  ["the track's page", ".seek", ownPage],
  ["the bar", ".deck > .deck-seek", ownPage],
  ["the embedded player", ".embed-seek", embedded],
] as const)("a focused position of %s is spoken on keys, not each second", async ([, seek, address]) => {
  const { page } = await browser.visit(address());
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await playsPast(page, 1.2);
  await page.locator(seek).focus();
  await page.evaluate(`{
    window.texts = [];
    const slider = document.querySelector(${JSON.stringify(seek)});
    const note = () => texts.push(slider.getAttribute("aria-valuetext"));
    new MutationObserver(note).observe(slider, { attributeFilter: ["aria-valuetext"] });
  }`);
  const texts = () => page.evaluate<string[]>("texts");
  await playsPast(page, 4.2);
  expect((await texts()).length).toBeLessThan(2);
  await page.keyboard.press("Home");
  await expect.poll(async () => (await texts()).at(-1)).toMatch(/^0:0[01] of 0:07$/);
  await page.keyboard.press("ArrowRight");
  await expect.poll(async () => (await texts()).at(-1)).toMatch(/^0:0[56] of 0:07$/);
});
