import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { ffmpeg } from "../support/ffmpeg.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { repeats } from "../support/repeats.ts";
import { sweepWav } from "../support/sources/pcm.ts";
import { stack } from "../support/stack.ts";
import { streamsOf, uploadTrack, waitForEncode } from "../support/tracks.ts";
import { startPausedJob } from "../transcoder/paused-job.ts";
import { startTranscoder } from "../transcoder/transcoder-process.ts";
import { launchBrowser, playsPast, playsToTheEnd, position, seekTo, source } from "./browser.ts";

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

/**
 * Plays until four seconds before the place where the encode had stopped. A busy machine may be late, so the page waits
 * there until it has everything. Then it plays the rest at four times the speed.
 */
async function playsOver(page: Page): Promise<void> {
  await playsPast(page, SECONDS / 2 - 4);
  await page.evaluate("document.querySelector('audio').pause()");
  const loaded = "(({ buffered }) => buffered.end(buffered.length - 1))(document.querySelector('audio'))";
  await expect.poll(() => page.evaluate<number>(loaded)).toBeGreaterThan(SECONDS - 0.5);
  await expect.poll(() => lengthShown(page)).toBe(SECONDS);
  await page.evaluate(
    "{ const audio = document.querySelector('audio'); audio.playbackRate = 4; audio.play() }",
  );
  await playsToTheEnd(page);
}

const lengthShown = (page: Page) =>
  page.getByRole("slider", { name: "Position" }).getAttribute("aria-valuemax").then(Number);

/**
 * Notes the positions, in s, at which the player, once it played, had nothing to play. On a busy machine, decoders run
 * late with all they need.
 */
const noteStalls = (page: Page) =>
  page.evaluate(`{
    const audio = document.querySelector("audio");
    window.stalls = [];
    const isLoaded = (seconds) => Array.from({ length: audio.buffered.length }, (_, n) => n).some(
      (n) => audio.buffered.start(n) <= audio.currentTime && audio.buffered.end(n) > audio.currentTime + seconds);
    audio.addEventListener("waiting", () => {
      if (audio.currentTime > 0 && !audio.seeking && !isLoaded(0.5)) window.stalls.push(audio.currentTime);
    });
  }`);

test("the page plays a track from its start while it is encoded, through to its end", async () => {
  const { track, letGo } = await startGrowing();
  const { page, complaints } = await browser.visit(track.permalink_url);
  await page.getByText("still being encoded").waitFor();
  await noteStalls(page);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.1);
  // A busy machine loads late. At half the speed a gap stalls all the same.
  await page.evaluate("document.querySelector('audio').playbackRate = 0.5");
  const atFirst = await Promise.all([position(page), lengthShown(page), source(page)]);
  letGo();
  expect(atFirst[0]).toBeLessThan(5);
  expect(atFirst[1]).toBeGreaterThan(3);
  expect(atFirst[1]).toBeLessThan(SECONDS);
  expect(atFirst[2]).toMatch(/^blob:/);
  await playsOver(page);
  expect(await position(page)).toBeCloseTo(SECONDS, 1);
  expect(await page.evaluate("window.stalls")).toEqual([]);
  await expect.poll(() => page.getByText("still being encoded").isVisible()).toBe(false);
  expect(complaints).toEqual([]);
});

test("the embedded player plays it as well, seeks in what is ready, and asks no more once it is gone", async () => {
  const { track, letGo } = await startGrowing();
  const player = `${stack.urls.api}/player/?url=${encodeURIComponent(track.permalink_url)}`;
  const { page: another } = await browser.visit(player, { prepare: (page) => page.clock.install() });
  let asked = 0;
  await another.route("**/player/?*", (route) => {
    asked++;
    return route.fulfill({ status: 404 });
  });
  const pass = () => another.clock.fastForward(20_000);
  await expect.poll(() => asked || pass()).toBe(1);
  for (const _ of [1, 2]) await pass().then(() => sleep(100));
  expect(asked).toBe(1);
  const { page, complaints } = await browser.visit(player);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.1);
  await page.getByRole("slider", { name: "Position" }).press("ArrowRight");
  await playsPast(page, 5.2);
  letGo();
  await playsOver(page);
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

const LONG_S = repeats(100, 3_600);
const RATE = 44_100;

/** A chord in noise, as FLAC. */
async function longFlac(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "soundpost-long-"));
  toClose.push(() => rm(directory, { recursive: true }));
  const path = join(directory, "long.flac");
  const graph = `aevalsrc='0.2*sin(440*2*PI*t)+0.1*sin(660*2*PI*t)+0.1*random(0)':s=${RATE}:d=${LONG_S}`;
  await promisify(execFile)(ffmpeg.path, ["-v", "error", "-f", "lavfi", "-i", graph, "-ac", "2", path]);
  return path;
}

/** Frames that ffmpeg hears as the HLS client, without the padding of the last packet, which only browsers cut. */
async function framesHeard(stream: string, stopAt: number): Promise<number> {
  const stop = `atrim=start=0:end_pts=${stopAt}`;
  const args = ["-v", "error", "-copyts", "-i", stream, "-af", stop, "-ac", "2", "-f", "s16le", "pipe:1"];
  let bytes = 0;
  for await (const chunk of spawn(ffmpeg.path, args, { stdio: ["ignore", "pipe", "ignore"] }).stdout)
    bytes += chunk.length;
  return bytes / 4;
}

test("a long upload plays two seconds after its last byte, without a stall, after a seek, and to its end", {
  timeout: 1_200_000,
}, async () => {
  const owner = await createUserWithPassword();
  const { id, permalink_url } = await uploadTrack(owner, { path: await longFlac() }, { sharing: "public" });
  await sleep(2_000);
  const { page, complaints } = await browser.visit(permalink_url);
  await noteStalls(page);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 3);
  await waitForEncode(owner, id);
  await playsPast(page, 4);
  expect(await page.evaluate("window.stalls")).toEqual([]);
  await expect.poll(() => lengthShown(page)).toBe(LONG_S);
  await seekTo(page, LONG_S / 2);
  await playsPast(page, LONG_S / 2 + 1);
  await seekTo(page, LONG_S - 3);
  await playsToTheEnd(page);
  expect(await position(page)).toBeCloseTo(LONG_S, 2);
  const { hls_aac_160_url = "" } = await streamsOf(owner, id);
  expect(await framesHeard(hls_aac_160_url, LONG_S * RATE)).toBe(LONG_S * RATE);
  expect(complaints).toEqual([]);
});
