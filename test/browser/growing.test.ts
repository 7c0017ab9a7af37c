import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { startPausedJob, sweepWav } from "../transcoder/paused-job.ts";
import { startTranscoder } from "../transcoder/transcoder-process.ts";
import { launchBrowser, playsPast, playsToTheEnd, position, source } from "./browser.ts";

const SECONDS = 24;

const browser = launchBrowser();
const toClose: (() => Promise<void>)[] = [];
let visitor: Person;

beforeAll(async () => {
  visitor = await createUserWithPassword();
});
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

/** A track whose encode waits in the middle. */
async function startGrowing() {
  const transcoder = await startTranscoder();
  toClose.push(transcoder.stop);
  const job = await startPausedJob(transcoder, { file: sweepWav(SECONDS) });
  toClose.push(job.worker.close);
  const address = `/tracks/${job.worker.track}`;
  await expect.poll(async () => (await api.as(visitor).get(`${address}/streams`)).status).toBe(200);
  return { ...job, transcoder, track: (await api.as(visitor).get<Track>(address)).body };
}

/** Counts the moments in which the player, once it played, had nothing to play. */
const countStalls = (page: Page) =>
  page.evaluate(`{
    const audio = document.querySelector("audio");
    window.stalls = 0;
    audio.addEventListener("waiting", () => { if (audio.currentTime > 0 && !audio.seeking) window.stalls++; });
  }`);

test("the page plays a track from its start while it is encoded, through to its end", async () => {
  const { track, letGo } = await startGrowing();
  const { page, complaints } = await browser.visit(track.permalink_url);
  await page.getByText("still being encoded").waitFor();
  await countStalls(page);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.1);
  expect(await position(page)).toBeLessThan(5);
  expect(await source(page)).toMatch(/^blob:/);
  const length = () => page.locator(".seek").getAttribute("aria-valuemax").then(Number);
  expect(await length()).toBeGreaterThan(3);
  expect(await length()).toBeLessThan(SECONDS);
  letGo();
  await playsToTheEnd(page);
  expect(await position(page)).toBeCloseTo(SECONDS, 1);
  expect(await page.evaluate("window.stalls")).toBe(0);
  await expect.poll(length).toBe(SECONDS);
  await expect.poll(() => page.getByText("still being encoded").isVisible()).toBe(false);
  expect(complaints).toEqual([]);
});

test("the embedded player plays it as well, and seeks in what is ready", async () => {
  const { track, letGo } = await startGrowing();
  const { page, complaints } = await browser.visit(
    `${stack.urls.api}/player/?url=${encodeURIComponent(track.permalink_url)}`,
  );
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.1);
  await page.getByRole("slider", { name: "Position" }).press("ArrowRight");
  await playsPast(page, 5.2);
  letGo();
  await playsToTheEnd(page);
  expect(complaints).toEqual([]);
});

test("a page opened before the first segment gets its player by itself", async () => {
  const transcoder = await startTranscoder();
  toClose.push(transcoder.stop);
  let isSeen = false;
  const { worker, letGo } = await startPausedJob(transcoder, {
    file: sweepWav(SECONDS),
    faults: { heartbeatStatus: () => (isSeen ? 200 : 503) },
  });
  toClose.push(worker.close);
  const { body } = await api.as(visitor).get<Track>(`/tracks/${worker.track}`);
  const { page } = await browser.visit(body.permalink_url);
  await page.getByText("Getting ready to play").waitFor();
  isSeen = true;
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 1);
  letGo();
});

test("when the encode dies, the page stops and says so", async () => {
  const { track, worker, transcoder } = await startGrowing();
  const { page } = await browser.visit(track.permalink_url);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.5);
  const [decoder] = transcoder.ffmpegs();
  if (decoder) process.kill(decoder, "SIGKILL");
  expect((await worker.verdict).outcome).toBe("failed");
  await page.getByText("The track could not be loaded").waitFor({ timeout: 60_000 });
});
