import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createUser } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { launchBrowser, playsPast, type Visit, type VisitOptions } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
/** The owner's only track, because a page plays on with related ones. */
async function trackOf(lufs: number | null): Promise<Track> {
  const track = await finishedTrack(await createUser());
  await sql("update tracks set media = jsonb_set(media, '{loudness,integrated_lufs}', $2) where id = $1", [
    track.id,
    JSON.stringify(lufs),
  ]);
  return track;
}

const volume = (page: Page) => page.evaluate<number>("document.querySelector('audio').volume");
const levelSwitch = (page: Page) => page.getByLabel("Even out the loudness");

async function playedPage(track: Track, options: VisitOptions = {}): Promise<Visit> {
  const visit = await browser.visit(track.permalink_url, options);
  await visit.page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(visit.page, 0);
  await openSettings(visit.page);
  return visit;
}

const openSettings = (page: Page) => page.getByRole("button", { name: "Player settings" }).click();

test("tracks of any loudness play at one level, and quiet ones as they are", async () => {
  for (const [lufs, level] of [
    [-6.5, -18],
    [-14, -18],
    [-18, -18],
    [-23, -23],
  ] as const) {
    const { page } = await playedPage(await trackOf(lufs));
    expect(lufs + 20 * Math.log10(await volume(page))).toBeCloseTo(level, 3);
  }
});

test("a switch turns it off, stays so, and leaves the listener's volume alone", async () => {
  const { page, complaints } = await playedPage(await trackOf(-8));
  await page.getByLabel("Volume").fill("0.5");
  expect(await volume(page)).toBeCloseTo(0.5 * 10 ** (-10 / 20), 4);
  await levelSwitch(page).uncheck();
  expect(await volume(page)).toBe(0.5);
  await page.reload();
  await openSettings(page);
  expect([await levelSwitch(page).isChecked(), await volume(page)]).toEqual([false, 0.5]);
  await levelSwitch(page).check();
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await expect.poll(() => volume(page)).toBeCloseTo(0.5 * 10 ** (-10 / 20), 4);
  expect(complaints).toEqual([]);
});

test("without a measured loudness there is no switch", async () => {
  const { page } = await playedPage(await trackOf(null));
  expect([await levelSwitch(page).isVisible(), await volume(page)]).toEqual([false, 1]);
});

/** Sets the volume as iPads do: it is 1 again in a moment. */
const withFixedVolume = (page: Page) =>
  page.addInitScript(`
    const { get, set } = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, "volume");
    Object.defineProperty(HTMLMediaElement.prototype, "volume", {
      get,
      set(to) {
        set.call(this, to);
        setTimeout(() => set.call(this, 1));
      },
    });
  `);

test("where a page cannot set the volume, nothing claims to", async () => {
  const { page } = await playedPage(await trackOf(-8), {
    viewport: { width: 1440, height: 900 },
    prepare: withFixedVolume,
  });
  await page.getByRole("button", { name: "Mute" }).waitFor();
  expect([await levelSwitch(page).isVisible(), await page.getByLabel("Volume").isVisible()]).toEqual([
    false,
    false,
  ]);
});
