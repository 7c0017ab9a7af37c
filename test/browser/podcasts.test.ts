import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, looks, overflow, paused, playsPast, position, slowDown } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { createSet, titleInBar } from "./player.ts";

/** A podcast and its episodes: heard from the show's page, followed by chapters and words on the episode's. */

const browser = launchBrowser();
let ana: Person;
let show: string;
let episode: string;

const words = (n: number) =>
  `00:0${n}.000 --> 00:0${n}.900\n<v ${n < 4 ? "Ana" : "Bo"}>Sentence number ${n}.`;
const VTT = `WEBVTT\n\n${[0, 1, 2, 3, 4, 5, 6].map(words).join("\n\n")}`;

beforeAll(async () => {
  ana = await createUser();
  const { set, tracks } = await createSet(ana, ["First talk", "שיחה", "Third talk"], { sharing: "public" });
  show = set.permalink_url;
  episode = tracks[0]?.permalink_url ?? "";
  await api.as(ana).put(`/playlists/${set.id}/podcast`, { json: { podcast: { category: "Arts" } } });
  const path = `/tracks/${tracks[0]?.id}`;
  await api.as(ana).put(`${path}/episode`, { json: { episode: { season: 1, number: 1 } } });
  await api.as(ana).put(`${path}/transcript`, { json: { transcript: { content: VTT, language: "en" } } });
  const chapters = [
    { startTime: 0, title: "Begin" },
    { startTime: 2.5, title: "Middle", url: "https://example.com/" },
    { startTime: 5, title: "End" },
  ];
  await api.as(ana).put(`${path}/chapters`, { json: { chapters } });
});

/** A track of which each hundredth of a second has words. */
async function longTalk() {
  const track = await finishedTrack(ana, { title: "Long talk" });
  const at = (n: number) => (n / 100).toFixed(3).padStart(6, "0");
  const cues = Array.from(
    { length: 700 },
    (_, n) => `00:${at(n)} --> 00:${at(n + 1)}\n<v ${n >> 6}>Words ${n}.`,
  );
  const content = `WEBVTT\n\n${cues.join("\n\n")}`;
  const sent = await api.as(ana).put(`/tracks/${track.id}/transcript`, { json: { transcript: { content } } });
  expect(sent.status).toBe(200);
  return track;
}

const present = (page: Page, list: string) =>
  page.evaluate<string | undefined>(`document.querySelector("${list}[aria-current]")?.textContent`);
const pause = (page: Page) => page.evaluate("document.querySelector('html > audio').pause()");

test("a show plays from its newest episode, in the order of its page", async () => {
  const { page, complaints } = await browser.visit(show);
  await page.locator(".record-head").getByRole("button", { name: "Play Third talk" }).click();
  await playsPast(page, 0);
  expect(await titleInBar(page)).toBe("Third talk");
  const queued = "JSON.parse(sessionStorage.getItem('player')).entries.map(({ title }) => title)";
  expect(await page.evaluate(queued)).toEqual(["Third talk", "שיחה", "First talk"]);
  expect(complaints).toEqual([]);
});

test("chapters are played from by pointer and by key, and the present one is marked", async () => {
  const { page, complaints } = await browser.visit(episode, { prepare: slowDown });
  expect(await present(page, ".chapter")).toBeUndefined();
  await page.locator(".chapter", { hasText: "Middle" }).click();
  await playsPast(page, 2.5);
  await expect.poll(() => present(page, ".chapter")).toContain("Middle");
  await page.locator(".chapter", { hasText: "End" }).focus();
  await page.keyboard.press("Enter");
  await playsPast(page, 5);
  await expect.poll(() => present(page, ".chapter")).toContain("End");
  expect(page.url()).toBe(episode);
  expect(complaints).toEqual([]);
});

test("the transcript follows the sound, and is played from by pointer and by key", async () => {
  const { page, complaints } = await browser.visit(episode);
  await page.locator(".cue", { hasText: "number 2" }).click();
  await playsPast(page, 2);
  await expect.poll(() => present(page, ".cue")).toBe("Sentence number 3.");
  await page.locator(".turn-time").last().focus();
  await page.keyboard.press("Enter");
  await playsPast(page, 4);
  await expect.poll(() => present(page, ".cue")).toMatch(/number [456]/);
  await page.locator(".cue", { hasText: "number 1" }).click();
  await expect.poll(() => position(page)).toBeLessThan(2);
  expect(complaints).toEqual([]);
});

test("the transcript scrolls to the present words, until its reader scrolls", async () => {
  const long = Array.from(
    { length: 70 },
    (_, n) => `00:0${(n / 10).toFixed(1)}00 --> 00:59.000\n<v ${n}>Words ${n}`,
  );
  const track = await finishedTrack(ana, { title: "Long" });
  const content = `WEBVTT\n\n${long.join("\n\n")}`;
  const sent = await api.as(ana).put(`/tracks/${track.id}/transcript`, { json: { transcript: { content } } });
  expect(sent.status).toBe(200);
  const { page } = await browser.visit(track.permalink_url, { reducedMotion: "reduce" });
  const scrolled = () => page.evaluate<number>("document.querySelector('.transcript-text').scrollTop");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(scrolled).toBeGreaterThan(400);
  await page.locator(".transcript-text").hover();
  await page.mouse.wheel(0, -10_000);
  await expect.poll(() => page.getByLabel("Follow the sound").isChecked()).toBe(false);
  await pause(page);
  await expect.poll(() => paused(page)).toBe(true);
  await page.getByLabel("Follow the sound").check();
  await expect.poll(scrolled).toBeGreaterThan(400);
});

test("the rest of a long transcript comes when it is asked for, searched, or reached by the sound", async () => {
  const track = await longTalk();
  const rest = (page: Page) => page.getByRole("link", { name: "Whole transcript" });
  const cues = (page: Page) => page.locator(".cue").count();

  const { page: asking, complaints } = await browser.visit(track.permalink_url);
  expect(await cues(asking)).toBeLessThan(300);
  await rest(asking).focus();
  await asking.keyboard.press("Enter");
  await expect.poll(() => cues(asking)).toBe(700);
  expect([await rest(asking).count(), asking.url()]).toEqual([0, track.permalink_url]);
  expect(await asking.locator(".turn-time:focus").count()).toBe(1);
  await asking.locator(".cue", { hasText: "Words 650." }).click();
  await playsPast(asking, 6.5);
  await expect.poll(() => present(asking, ".cue")).toMatch(/Words 6[5-9]/);

  const { page: searching } = await browser.visit(track.permalink_url);
  await searching.getByRole("searchbox", { name: "Search the transcript" }).fill("words 699.");
  await searching.getByText("1 place", { exact: true }).waitFor();
  expect(await searching.locator(".cue.found").allTextContents()).toEqual(["Words 699."]);

  const { page: listening } = await browser.visit(track.permalink_url);
  await listening.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(() => cues(listening)).toBe(700);
  await expect.poll(() => present(listening, ".cue")).toMatch(/Words [3-6]\d\d/);
  expect(complaints).toEqual([]);
});

test("a rest that does not come is said, and is asked for again by a press", async () => {
  const { page } = await browser.visit((await longTalk()).permalink_url);
  await page.route("**/*transcript=whole*", (route) => route.abort());
  const rest = page.getByRole("link", { name: "Whole transcript" });
  await rest.click();
  await page.getByText("The rest could not be loaded.").waitFor();
  await page.getByRole("searchbox", { name: "Search the transcript" }).fill("words 3.");
  await page.getByText("1 place in the part that is loaded").waitFor();
  await page.unroute("**/*transcript=whole*");
  await page.getByRole("searchbox", { name: "Search the transcript" }).fill("");
  await rest.click();
  await expect.poll(() => page.locator(".cue").count()).toBe(700);
});

test("without scripts a link leads to the whole of a long transcript", async () => {
  const { page } = await browser.visit((await longTalk()).permalink_url, { javaScriptEnabled: false });
  await page.getByRole("link", { name: "Whole transcript" }).click();
  expect(await page.locator(".cue").count()).toBe(700);
});

test("words are found across lines, and a place that was found is played from", async () => {
  const { page } = await browser.visit(episode);
  const search = page.getByRole("searchbox", { name: "Search the transcript" });
  await search.fill("5. sentence");
  await page.getByText("1 place", { exact: true }).waitFor();
  expect(await page.locator(".cue.found").allTextContents()).toEqual([
    "Sentence number 5.",
    "Sentence number 6.",
  ]);
  expect(await page.locator(".turn:visible").count()).toBe(1);
  await search.press("Enter");
  await page.keyboard.press("Enter");
  await playsPast(page, 4);
  await search.fill("nothing such");
  await page.getByText("0 places").waitFor();
  await search.fill("");
  await expect.poll(() => page.locator(".turn:visible").count()).toBe(2);
});

test("without scripts chapters and times lead to their moment, and all words are read", async () => {
  const { page } = await browser.visit(episode, { javaScriptEnabled: false });
  expect(await page.getByRole("searchbox", { name: "Search the transcript" }).isVisible()).toBe(false);
  expect(await page.locator(".cue").count()).toBe(7);
  await page.locator(".chapter", { hasText: "End" }).click();
  expect(page.url()).toBe(`${episode}?t=5`);
});

test.for(looks(390, 1440))(
  "a show and its episode fit and are readable, %i px, %s",
  async ([width, colorScheme]) => {
    for (const address of [show, episode]) {
      const { page, complaints } = await browser.visit(address, {
        viewport: { width, height: 900 },
        colorScheme,
      });
      if (process.env.SHOTS)
        await page.screenshot({
          path: `${process.env.SHOTS}/${address === show ? "show" : "episode"}-${width}.png`,
          fullPage: true,
        });
      expect(await overflow(page), address).toBe(0);
      expect(await faultsOfAccess(page), address).toEqual([]);
      expect(complaints).toEqual([]);
    }
  },
);
