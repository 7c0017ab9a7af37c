import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createForm } from "../support/images.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { launchBrowser } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
let ana: Person;
let drawn: Track;
let red: Track;

beforeAll(async () => {
  ana = await createUserWithPassword();
  [drawn, red] = await Promise.all([
    finishedTrack(ana, { title: "Drawn" }),
    finishedTrack(ana, { title: "Red" }),
  ]);
  const picture = await sharp({ create: { width: 500, height: 500, channels: 3, background: "#b01030" } })
    .png()
    .toBuffer();
  await api.as(ana).put(`/tracks/${red.id}`, createForm({ "track[artwork_data]": picture }));
});

/** Browsers paint what a script would ask for by its computed style. */
const COLORS = `(() => {
  const head = getComputedStyle(document.querySelector(".record-head"), "::before").backgroundColor;
  return [head, getComputedStyle(document.querySelector(".record")).getPropertyValue("--played")];
})()`;

const SHOWN = "document.querySelector('img.record-cover').naturalWidth > 0";

const SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 50);
})`;

test("a page has the colours of its picture at the first paint, without script", async () => {
  const { page } = await browser.visit(red.permalink_url, { javaScriptEnabled: false });
  const [ground, played] = (await page.evaluate(COLORS)) as string[];
  const other = await browser.visit(drawn.permalink_url, { javaScriptEnabled: false });
  const [otherGround, otherPlayed] = (await other.page.evaluate(COLORS)) as string[];
  for (const color of [ground, played, otherGround, otherPlayed]) expect(color).toMatch(/^oklch\(/);
  expect([otherGround, otherPlayed]).not.toEqual([ground, played]);
  // Hue 15 to 30 of OKLCH is red.
  expect(Number(/ ([\d.]+)\)$/.exec(ground ?? "")?.[1])).toBeCloseTo(15, -2);
});

test("colours change with each page on the way through links, Back and Forward", async () => {
  const { page, complaints } = await browser.visit(`${red.user.permalink_url}`);
  await page.getByRole("link", { name: red.title, exact: true }).first().click();
  await page.getByRole("heading", { level: 1, name: red.title }).waitFor();
  const first = await page.evaluate(COLORS);
  await page.goBack();
  await page.getByRole("link", { name: drawn.title, exact: true }).first().click();
  await page.getByRole("heading", { level: 1, name: drawn.title }).waitFor();
  const second = await page.evaluate(COLORS);
  expect(second).not.toEqual(first);
  await page.getByRole("main").getByRole("link", { name: ana.username }).first().click();
  await page.getByRole("link", { name: red.title, exact: true }).first().click();
  await page.getByRole("heading", { level: 1, name: red.title }).waitFor();
  expect(await page.evaluate(COLORS)).toEqual(first);
  await page.goBack();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: drawn.title }).waitFor();
  expect(await page.evaluate(COLORS)).toEqual(second);
  await page.goForward();
  await page.goForward();
  await page.getByRole("heading", { level: 1, name: red.title }).waitFor();
  expect(await page.evaluate(COLORS)).toEqual(first);
  expect(complaints).toEqual([]);
});

test.each(["red", "drawn"])(
  "the page of a track with a %s cover does not move while it loads",
  async (which) => {
    const { page } = await browser.visit((which === "red" ? red : drawn).permalink_url);
    await expect.poll(() => page.evaluate(SHOWN)).toBe(true);
    expect(await page.evaluate(SHIFTS)).toBe(0);
    expect(await page.locator("img[src*=avatar-default]").count()).toBe(0);
  },
);
