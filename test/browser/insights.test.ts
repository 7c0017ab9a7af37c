import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Insights } from "../../functions/api/insights/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createPlaylist } from "../api/playlists/playlists.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, looks, overflow, playsPast } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { signInByForm, storageStateOf } from "./sign-in.ts";

const browser = launchBrowser();
const web = stack.urls.api;
let [owner, fan]: Person[] = [];
let track: Track;
let states: Awaited<ReturnType<typeof storageStateOf>>[];

async function signedIn(who: Person) {
  const { page } = await browser.visit(`${web}/session/new?next=/you/insights`);
  await signInByForm(page, who);
  await page.getByRole("heading", { name: "Insights" }).waitFor();
  return storageStateOf(page);
}

beforeAll(async () => {
  [owner, fan] = [await createUserWithPassword(), await createUserWithPassword()];
  track = await finishedTrack(owner, { title: "Harbour" });
  states = [await signedIn(owner), await signedIn(fan)];
});

const visitAsOwner = (path: string, options = {}) =>
  browser.visit(web + path, { storageState: states[0], ...options });

const readInsights = async (query: string) =>
  (await api.as(owner as Person).get<Insights>(`/tracks/${track.id}/insights?${query}`)).body;

/** The number beside a name, in the tiles or in a table. */
const tile = (page: Page, name: string) =>
  page
    .getByRole("navigation", { name: "Figures" })
    .getByRole("link", { name })
    .locator("strong")
    .textContent();
const row = (page: Page, heading: string, name: string) =>
  page
    .locator("section", { has: page.getByRole("heading", { name: heading, exact: true }) })
    .getByRole("row", { name })
    .getByRole("cell")
    .textContent();

test("a track that nobody has heard says so, and leads on", async () => {
  const { page } = await visitAsOwner(`/you/insights/tracks/${track.id}`);
  await page.getByText("Nothing has been counted yet").waitFor();
  expect(await page.getByRole("link", { name: "Open its page to share it" }).getAttribute("href")).toBe(
    track.permalink_url,
  );
});

test("the page shows what was played, to the play: by whom it was led here, in which player, and how far", async () => {
  const { page } = await browser.visit(`${web}/terms`, { storageState: states[1] });
  await page.goto(track.permalink_url, { referer: "https://www.blog.example/a-post" });
  await page.locator("button.play").first().click();
  await playsPast(page, 1);
  await page.evaluate("document.querySelector('html > audio').currentTime = 6.8");
  await expect.poll(async () => (await readInsights("by=progress")).by.progress?.at(-1)?.plays).toBe(1);
  const embed = await browser.visit(`${web}/player/?${new URLSearchParams({ url: track.permalink_url })}`);
  await embed.page.getByRole("button", { name: "Play", exact: true }).first().click();
  await playsPast(embed.page, 1);
  await api.as(fan as Person).post(`/likes/tracks/${track.id}`);
  await expect.poll(async () => (await readInsights("")).totals.plays).toBe(2);
  const shown = (await visitAsOwner(`/you/insights/tracks/${track.id}`)).page;
  expect([await tile(shown, "Plays"), await tile(shown, "Likes")]).toEqual(["2", "1"]);
  expect(await row(shown, "Where plays come from", "blog.example")).toBe("1");
  expect(await row(shown, "Played in", "This site")).toBe("1");
  expect(await row(shown, "Played in", "Embedded player")).toBe("1");
  expect(await row(shown, "Countries", "Others and unknown")).toBe("2");
  expect(await row(shown, "How far people listen", "To the end")).toBe("1");
  await shown.getByText("Plays as a table").click();
  expect(await shown.locator(".chart tbody tr").first().getByRole("cell").textContent()).toBe("2");
});

test("pages lead from the list of tracks, the track and the menu, and by figures and ranges, without a script", async () => {
  const { page } = await visitAsOwner("/you/tracks", { javaScriptEnabled: false });
  await page.getByRole("navigation", { name: "Yours" }).getByRole("link", { name: "Insights" }).click();
  await page.getByRole("link", { name: "12 months" }).click();
  await page.getByRole("navigation", { name: "Figures" }).getByRole("link", { name: "Likes" }).click();
  await page.getByText("Likes by month, in UTC").waitFor();
  await page.getByRole("link", { name: "Harbour" }).click();
  await page.getByRole("heading", { name: "Insights" }).waitFor();
  await page.goto(track.permalink_url);
  await page.getByRole("link", { name: "Insights" }).first().click();
  expect(new URL(page.url()).pathname).toBe(`/you/insights/tracks/${track.id}`);
  const csv = await page.request.get(`${web}/you/insights/csv?range=7`);
  expect([csv.headers()["content-type"], (await csv.text()).split("\r\n").length]).toEqual([
    "text/csv; charset=utf-8",
    9,
  ]);
});

test("nobody else opens them", async () => {
  const path = `/you/insights/tracks/${track.id}`;
  const { page } = await browser.visit(`${web}/terms`, { storageState: states[1] });
  expect((await page.request.get(web + path)).status()).toBe(403);
  const visitor = await browser.visit(`${web}/terms`);
  const reply = await visitor.page.request.get(web + path, { maxRedirects: 0 });
  expect([reply.status(), reply.headers().location]).toEqual([303, expect.stringContaining("/session/new")]);
});

/** Kept where `PICTURES` says, to be looked at. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Lines on which each number of the tables stands: one, since a browser may break words anywhere. */
const LINES_OF_NUMBERS = `[...document.querySelectorAll(".insights td")].map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return Math.min(range.getClientRects().length, 2);
})`;

test.for(looks(390, 1440))(
  "every page fits and can be used by everybody, %i px, %s",
  async ([width, colorScheme]) => {
    const set = await createPlaylist(owner as Person, { tracks: [{ id: track.id }] });
    await sql("update tracks set playback_count = 1234567, favoritings_count = 4321 where id = $1", [
      track.id,
    ]);
    await sql(
      `insert into track_breakdowns (track_id, dimension, grain, started_at, value, plays, listeners)
       values ($1, 'country', 'day', date_trunc('day', now(), 'UTC'), 'DE', 12345, '{33,65,97,129,161}')
       on conflict do nothing`,
      [track.id],
    );
    const { page, complaints } = await visitAsOwner("/terms", {
      colorScheme,
      viewport: { width, height: 900 },
    });
    for (const path of [
      "",
      "?range=all&show=likes",
      `/tracks/${track.id}?range=90`,
      `/sets/${set.id}?range=7`,
    ]) {
      await page.goto(`${web}/you/insights${path}`);
      await page.locator(".chart summary").click();
      await picture(page, `insights${path.replaceAll(/[^a-z]+/g, "-")}-${width}-${colorScheme}`);
      expect([path, await overflow(page), await faultsOfAccess(page)]).toEqual([path, 0, []]);
      expect(await page.evaluate(LINES_OF_NUMBERS)).not.toContain(2);
    }
    expect(complaints).toEqual([]);
  },
);
