import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createUser } from "../support/people.ts";
import { shortWav, uploadTrack, waitForEncode } from "../support/tracks.ts";
import { launchBrowser, playsPast } from "./browser.ts";
import { playIn } from "./player.ts";

/** Seconds. */
const LENGTH = 100;
const LONGEST_SEGMENT = 6;

const browser = launchBrowser();
let track: Track;

beforeAll(async () => {
  const owner = await createUser();
  const { id } = await uploadTrack(owner, shortWav(LENGTH), { title: "Long", sharing: "public" });
  track = await waitForEncode(owner, id);
});

const withoutOwnHls = (page: Page) => page.addInitScript("HTMLMediaElement.prototype.canPlayType = () => ''");

test("hls.js loads half a minute ahead of what is heard, and a few seconds of what is only prepared", async () => {
  const { page } = await browser.visit(track.user.permalink_url, { prepare: withoutOwnHls });
  const segments = new Set<string>();
  page.on("request", (request) => {
    const segment = /\/\d+\.m4s/.exec(request.url());
    if (segment) segments.add(segment[0]);
  });
  const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

  await playIn(page, "Long").hover();
  await expect.poll(() => segments.size).toBeGreaterThan(2);
  await pause(1_500);
  // The first three last for two seconds each.
  expect(segments.size).toBeLessThanOrEqual(4);

  await playIn(page, "Long").click();
  await playsPast(page, 3);
  const loadedS = await page.evaluate<number>(`{
    const { buffered, currentTime } = document.querySelector("audio");
    buffered.end(buffered.length - 1) - currentTime;
  }`);
  expect(loadedS).toBeGreaterThan(20);
  expect(loadedS).toBeLessThanOrEqual(30 + LONGEST_SEGMENT);
});
