import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { streamsOf } from "../support/tracks.ts";
import {
  launchBrowser,
  paused,
  playsPast,
  playsToTheEnd,
  position,
  seekTo,
  source,
  styleOf,
  tabTo,
} from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
let owner: Person;
let track: Track;

beforeAll(async () => {
  owner = await createUserWithPassword();
  track = await finishedTrack(owner, { title: "Played in a browser" });
});

const onPage = (page: Page) => page.getByRole("region", { name: "Waveform" });
const playButton = (page: Page) => onPage(page).getByRole("button", { name: "Play", exact: true });

const withoutOwnHls = (page: Page) =>
  page.addInitScript(`
    const { canPlayType } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.canPlayType = function (type) {
      return type.includes("mpegurl") ? "" : canPlayType.call(this, type);
    };
  `);

const withoutHls = (page: Page) => page.route("**/*.m3u8*", (route) => route.abort());

test("the track plays by the browser's own means without complaints", async () => {
  const { page, complaints } = await browser.visit(track.permalink_url);
  await playButton(page).click();
  await playsPast(page, 1);
  expect(await source(page)).toMatch(/\/master\.m3u8\b/);
  await expect.poll(() => page.locator(".elapsed").textContent()).toMatch(/^0:0[1-9]$/);
  await onPage(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => paused(page)).toBe(true);
  expect(complaints).toEqual([]);
});

test.for([
  ["the page", () => track.permalink_url],
  ["the embedded player", () => `${stack.urls.api}/player/?url=${encodeURIComponent(track.permalink_url)}`],
] as const)("%s draws its waveform once a bar, not once a frame", async ([, address]) => {
  const { page } = await browser.visit(address(), {
    viewport: { width: 390, height: 800 },
    prepare: (page) =>
      page.addInitScript(`
        window.drawn = 0;
        const { clearRect } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.clearRect = function (...area) {
          window.drawn++;
          return clearRect.apply(this, area);
        };
      `),
  });
  const seen = () =>
    page.evaluate<[drawn: number, at: number]>("[drawn, document.querySelector('audio').currentTime]");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.5);
  const before = await seen();
  await playsPast(page, before[1] + 1.5);
  const after = await seen();
  const width = await page.evaluate<number>("document.querySelector('canvas').clientWidth");
  const bars = ((after[1] - before[1]) / (track.duration / 1000)) * ((width + 1) / 4);
  expect(after[0] - before[0]).toBeGreaterThan(0);
  expect(after[0] - before[0]).toBeLessThanOrEqual(bars + 3);
});

test("the track plays through hls.js in a browser without native HLS", async () => {
  const { page, complaints } = await browser.visit(track.permalink_url, { prepare: withoutOwnHls });
  const segment = page.waitForResponse(/\/(160|96)\/0\.m4s(\?|$)/);
  await playButton(page).click();
  expect((await segment).status()).toBe(200);
  await playsPast(page, 1);
  expect(await source(page)).toMatch(/^blob:/);
  expect(complaints).toEqual([]);
});

test("hls.js plays to the end and keeps the source's length", async () => {
  const { page } = await browser.visit(track.permalink_url, { prepare: withoutOwnHls });
  await playButton(page).click();
  await playsPast(page, 0);
  await seekTo(page, 6.5);
  await playsToTheEnd(page);
  expect(await position(page)).toBeCloseTo(track.duration / 1000, 1);
  expect(await playButton(page).count()).toBe(1);
});

test("hls.js plays the MP3's playlist to the end, across its segments", async () => {
  const { hls_mp3_128_url = "" } = await streamsOf(owner, track.id);
  const playlist = await (await fetch(hls_mp3_128_url)).text();
  const body = playlist.replace(/^audio\/.*$/gm, (uri) => new URL(uri, hls_mp3_128_url).href);
  const { page } = await browser.visit(track.permalink_url, {
    prepare: async (page) => {
      await withoutOwnHls(page);
      await page.route("**/master.m3u8*", (route) =>
        route.fulfill({ body, contentType: "application/vnd.apple.mpegurl" }),
      );
    },
  });
  await playButton(page).click();
  await playsPast(page, 0);
  await seekTo(page, 5.5);
  await playsToTheEnd(page);
  expect(await source(page)).toMatch(/^blob:/);
  // The encoder's delay and padding play, too: at most three packets of 26 ms.
  expect(await position(page)).toBeGreaterThanOrEqual(track.duration / 1000);
  expect(await position(page)).toBeLessThan(track.duration / 1000 + 0.08);
});

test("the player falls back to the MP3 if HLS is unavailable", async () => {
  const { page } = await browser.visit(track.permalink_url, { prepare: withoutHls });
  await playButton(page).click();
  await playsPast(page, 1);
  expect(await source(page)).toMatch(/\/audio\.mp3$/);
});

test("a segment that cannot be decoded hands over from hls.js to the MP3 where it is", async () => {
  const { page } = await browser.visit(track.permalink_url, {
    prepare: async (page) => {
      await withoutOwnHls(page);
      await page.route(/\/1\.m4s/, async (route) => {
        const response = await route.fetch();
        const body = await response.body();
        await route.fulfill({ response, body: body.fill(0xa5, body.indexOf("mdat") + 4) });
      });
    },
  });
  await playButton(page).click();
  await expect.poll(() => source(page)).toMatch(/\/audio\.mp3\b/);
  expect(await position(page)).toBeGreaterThan(1);
  await playsPast(page, 4.5);
});

test("the keyboard alone plays, seeks and pauses", async () => {
  const { page } = await browser.visit(track.permalink_url);
  const slider = page.getByRole("slider", { name: "Position" });
  const button = page.locator("button.play");
  await tabTo(page, "button.play");
  expect(await styleOf(page, "button.play", "outlineStyle")).toBe("solid");
  await page.keyboard.press("Space");
  await playsPast(page, 0.3);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => position(page)).toBeGreaterThan(5);
  await page.keyboard.press(" ");
  await expect.poll(() => paused(page)).toBe(true);
  const stoppedAt = await position(page);
  await expect.poll(() => slider.getAttribute("aria-valuenow")).toBe(String(Math.round(stoppedAt)));
  expect(await slider.getAttribute("aria-valuetext")).toMatch(/^0:0\d of 0:07$/);
  await page.keyboard.press("Home");
  await expect.poll(() => slider.getAttribute("aria-valuenow")).toBe("0");
  expect(await button.getAttribute("aria-label")).toBe("Play");
});

test("a click on the waveform starts playback there", async () => {
  const { page } = await browser.visit(track.permalink_url);
  const slider = page.getByRole("slider", { name: "Position" });
  const box = await slider.boundingBox();
  await slider.click({ position: { x: (box?.width ?? 0) / 2, y: 20 } });
  await playsPast(page, track.duration / 2000 + 0.2);
});

test("hls.js begins at a position chosen before playing", async () => {
  const { page } = await browser.visit(track.permalink_url, { prepare: withoutOwnHls });
  const slider = page.getByRole("slider", { name: "Position" });
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await playButton(page).click();
  await playsPast(page, 5.3);
});

test.for([
  ["5 s while its script loads", "**/hls.light.min.js", [], "ArrowRight", 5],
  ["the start while its playlist loads", "**/160/playlist.m3u8*", ["ArrowRight"], "Home", 0],
] as const)("hls.js begins where one seeks meanwhile: %s", async ([, held, keysBefore, key, begins]) => {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { page } = await browser.visit(track.permalink_url, {
    prepare: async (page) => {
      await withoutOwnHls(page);
      await page.route(held, (route) => arrival.then(() => route.continue()));
    },
  });
  const slider = page.getByRole("slider", { name: "Position" });
  for (const before of keysBefore) await slider.press(before);
  const loads = page.waitForRequest(held);
  await playButton(page).click();
  await loads;
  await page.locator("track-player.loading").waitFor();
  await slider.press(key);
  await expect.poll(() => position(page)).toBe(begins);
  await page.evaluate(`{
    const audio = document.querySelector("audio");
    audio.addEventListener("playing", () => (window.begunAt ??= audio.currentTime));
  }`);
  arrive();
  await expect.poll(() => page.evaluate("window.begunAt")).toBeGreaterThanOrEqual(begins);
  expect(await page.evaluate("window.begunAt")).toBeLessThan(begins + 2);
  expect(await source(page)).toMatch(/^blob:/);
});

/** Playlists and whole files, loaded when pressed or in advance. */
const MEDIA = /\/media\/.*\.(m3u8|mp3)(\?|$)/;

test("expired addresses are renewed", async () => {
  const { page } = await browser.visit(track.permalink_url);
  let expired = true;
  let refusals = 0;
  await page.route(MEDIA, (route) => {
    if (expired) refusals++;
    return expired ? route.fulfill({ status: 404 }) : route.continue();
  });
  await page.route(`**/you/sources/${track.id}`, async (route) => {
    expired = false;
    await route.continue();
  });
  await playButton(page).click();
  await playsPast(page, 1);
  expect(refusals).toBeGreaterThan(0);
});

test("the page says that no file of a track plays, and offers a retry", async () => {
  const { page } = await browser.visit(track.permalink_url, {
    prepare: (page) => page.route(MEDIA, (route) => route.fulfill({ status: 404 })),
  });
  await playButton(page).click();
  await page.getByText("The track could not be played").waitFor();
  await page.unroute(MEDIA);
  await playButton(page).click();
  await playsPast(page, 0.5);
});

test.for([
  ["the page", () => track.permalink_url],
  ["the embedded player", () => `${stack.urls.api}/player/?url=${encodeURIComponent(track.permalink_url)}`],
] as const)("%s plays on by itself once a lost connection is back", async ([, address]) => {
  const { page } = await browser.visit(address());
  const button = page.getByRole("main").getByRole("button", { name: /^(Play|Pause)$/ });
  const gaveUp = page.waitForEvent("requestfailed", (asked) =>
    /\/you\/sources\/|\/player\//.test(asked.url()),
  );
  await page.context().setOffline(true);
  await button.click();
  await gaveUp;
  await page.context().setOffline(false);
  await playsPast(page, 0.5);
  expect(await page.getByText("The track could not be").isVisible()).toBe(false);
});

test("a press of Play after a pause without a connection is waited for anew", async () => {
  const { page } = await browser.visit(track.permalink_url);
  await page.clock.install();
  let asked = 0;
  const sources = `**/you/sources/${track.id}`;
  await page.route(sources, (route) => {
    asked++;
    return route.abort();
  });
  // The page brings the first ones.
  await page.route(MEDIA, (route) => route.abort());
  await playButton(page).click();
  await expect
    .poll(async () => {
      if (asked < 6) await page.clock.fastForward(30_000);
      return asked;
    })
    .toBe(6);
  await onPage(page).getByRole("button", { name: "Pause", exact: true }).click();
  await playButton(page).click();
  await page.clock.fastForward(30_000);
  await expect.poll(() => asked).toBeGreaterThan(7);
  await page.unroute(MEDIA);
  await page.unroute(sources);
  await playsPast(page, 0.5);
});
