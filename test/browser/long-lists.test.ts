import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { createPlayableTrack } from "../support/tracks.ts";
import { launchBrowser, playsPast } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { byKeyboard } from "./hands.ts";
import { barButton, playIn, queued, titleInBar } from "./player.ts";
import { signInByForm } from "./sign-in.ts";

/** Lists that a page does not show whole. */

const browser = launchBrowser();
let ana: Person;
let set: Playlist;
/** Titles in the set's order. A page of the owner's list shows fifty. */
const titles = Array.from({ length: 53 }, (_, at) => `Part ${at + 1}`);

beforeAll(async () => {
  ana = await createUserWithPassword();
  const tracks: { id: number }[] = [];
  for (const [at, title] of titles.entries()) {
    // All from the first that plays: the player loads the next one before it is wanted.
    const sounds = at >= 48;
    const { id } = sounds ? await finishedTrack(ana, { title }) : await createPlayableTrack(ana, { title });
    tracks.push({ id });
  }
  const json = { playlist: { title: "A long set", sharing: "public", tracks } };
  set = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
});

test("a set of more than fifty tracks is shown and queued whole, and its queue is the same after a reload", async () => {
  const { page, complaints } = await browser.visit(set.permalink_url);
  await playIn(page, "Part 49").click();
  await playsPast(page, 0.1);
  expect(await queued(page)).toEqual(titles);
  await barButton(page, "Next track").click();
  await expect.poll(() => titleInBar(page)).toBe("Part 50");
  await barButton(page, "Next track").click();
  await expect.poll(() => titleInBar(page)).toBe("Part 51");
  await playsPast(page, 0.1);
  await page.reload();
  await expect.poll(() => queued(page)).toEqual(titles);
  expect(complaints).toEqual([]);
});

test("the buttons for ticked tracks stay at hand at the end of a phone's long list", async () => {
  const { page } = await browser.visit(`${stack.urls.api}/session/new?next=/you/tracks`, {
    viewport: { width: 390, height: 844 },
  });
  await signInByForm(page, ana);
  const last = page.getByLabel("Select Part 4", { exact: true });
  await last.check();
  await last.scrollIntoViewIfNeeded();
  const button = page.getByRole("button", { name: "Edit selected" });
  await expect.poll(async () => (await button.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  expect((await button.boundingBox())?.y).toBeLessThan(200);
  await byKeyboard.press(button);
  await page.getByRole("heading", { name: "Edit 1 track", exact: true }).waitFor();
});

test("an owner's list that goes on on another page goes on, too, and shuffle mixes it whole", async () => {
  const { page } = await browser.visit(`${stack.urls.api}/session/new?next=/you/tracks`, {
    viewport: { width: 1440, height: 900 },
  });
  await signInByForm(page, ana);
  const newestFirst = titles.toReversed();
  await playIn(page, "Part 53").click();
  expect(await queued(page)).toEqual(newestFirst.slice(0, 50));
  await barButton(page, "Shuffle").click();
  await expect.poll(async () => (await queued(page)).toSorted()).toEqual(titles.toSorted());
  expect((await queued(page))[0]).toBe("Part 53");
  await barButton(page, "Shuffle").click();
  await expect.poll(() => queued(page)).toEqual(newestFirst);
  await playIn(page, "Part 5").click();
  await expect.poll(() => queued(page)).toEqual(newestFirst);
});

test("no row of the list has the focus under the bar, however much the bar says on a page at 400 %", async () => {
  const { page } = await browser.visit(set.permalink_url, { viewport: { width: 320, height: 256 } });
  await page.route("**/media/**", (route) => route.fulfill({ status: 404 }));
  await playIn(page, "Part 49").click();
  await page.getByText("The track could not be played").waitFor();
  await playIn(page, "Part 1").focus();
  await byKeyboard.press(playIn(page, "Part 8"));
  await expect.poll(() => titleInBar(page)).toBe("Part 8");
});
