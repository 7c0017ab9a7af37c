import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { launchBrowser, overflow, paused, playsPast, tabTo } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
let ana: Person;
let tracks: Track[];
let set: Playlist;

beforeAll(async () => {
  ana = await createUserWithPassword();
  const sold = { purchase_url: "https://shop.example/first", downloadable: true };
  tracks = [
    await finishedTrack(ana, { title: "The first", ...sold }),
    await finishedTrack(ana, { title: "Not for others", embeddable_by: "none" }),
    await finishedTrack(ana, { title: "The third" }),
  ];
  await sql("update tracks set playback_count = 1234 where id = $1", [tracks[0]?.id]);
  const json = { playlist: { title: "All three", tracks: tracks.map(({ id }) => ({ id })) } };
  set = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
});

const playerOf = (url: string, more = "") =>
  `${stack.urls.api}/player/?url=${encodeURIComponent(url)}${more}`;

const PARTS = {
  show_artwork: ".embed-picture",
  show_user: ".embed-author",
  show_playcount: ".embed-plays",
  buying: "a.buy",
  download: "a.download",
  sharing: ".embed-share-open",
};

test("each part is shown by default, and hidden by its option", async () => {
  const options = Object.keys(PARTS).map((name) => `&${name}=false`);
  const shown = await browser.visit(playerOf(tracks[0]?.uri ?? ""));
  const bare = await browser.visit(playerOf(tracks[0]?.uri ?? "", options.join("")));
  await bare.page.locator(".embed-play").waitFor();
  for (const [name, selector] of Object.entries(PARTS)) {
    await expect.poll(() => shown.page.locator(selector).isVisible(), { message: name }).toBe(true);
    expect([name, await bare.page.locator(selector).isVisible()]).toEqual([name, false]);
  }
  expect(await shown.page.locator(".embed-plays").textContent()).toBe("1,234 plays");
});

test("ids, URNs and permalinks name the same track, and options nobody knows are ignored", async () => {
  const [track] = tracks;
  for (const url of [track?.uri, `${stack.urls.api}/tracks/${track?.urn}`, track?.permalink_url]) {
    const more =
      "&hide_related=true&show_reposts=false&show_teaser=false&liking=false&color=no&start_track=x";
    const { page, complaints } = await browser.visit(playerOf(url ?? "", more));
    expect(await page.locator("h1").textContent()).toBe("The first");
    expect(complaints).toEqual([]);
  }
});

test("a track of a set whose owner allows no embedding is passed over", async () => {
  const { page } = await browser.visit(playerOf(set.uri, "&start_track=1"));
  await page.getByText("does not allow playing this track on other sites").waitFor();
  expect(await page.locator("audio").getAttribute("src")).toBe(null);
  await page
    .getByRole("link", { name: /The first/ })
    .last()
    .click();
  await playsPast(page, 0.1);
  await page.evaluate(`void document.querySelector("audio").dispatchEvent(new Event("ended"))`);
  await expect.poll(() => page.locator("h1").textContent()).toBe("The third");
});

test("the keyboard alone plays, seeks, chooses a track and shares", async () => {
  const { page } = await browser.visit(playerOf(set.uri));
  await page.keyboard.press("Space");
  await playsPast(page, 0.1);
  await tabTo(page, ".embed-play");
  await page.keyboard.press("Space");
  await expect.poll(() => paused(page)).toBe(true);
  await tabTo(page, ".embed-seek");
  await page.keyboard.press("End");
  await expect.poll(() => page.getByRole("slider").getAttribute("aria-valuenow")).toBe("7");
  await tabTo(page, ".embed-share-open");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Share" }).waitFor();
  await page.keyboard.press("Escape");
  await tabTo(page, ".embed-list li:last-child a");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("h1").textContent()).toBe("The third");
});

const AXE = readFileSync(join(PROJECT_DIR, "test/node_modules/axe-core/axe.min.js"), "utf8");

/** Rules that the page breaks. A frame's page needs no landmarks of its own. */
async function broken(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(
    `axe.run({ rules: { region: { enabled: false }, "landmark-one-main": { enabled: false } } })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html)))`,
  );
}

test.for(["light", "dark"] as const)("axe finds nothing in a %s player of any shape", async (colorScheme) => {
  for (const [url, width, height] of [
    [playerOf(tracks[0]?.uri ?? ""), 700, 166],
    [playerOf(set.uri), 700, 450],
    [playerOf(set.uri, "&visual=true&color=ff5500"), 300, 300],
    [playerOf(tracks[0]?.uri ?? ""), 200, 166],
    [playerOf(`${stack.urls.api}/tracks/1`), 700, 166],
  ] as const) {
    const { page } = await browser.visit(url, { colorScheme, viewport: { width, height } });
    expect([url, await broken(page)]).toEqual([url, []]);
    expect([url, await overflow(page)]).toEqual([url, 0]);
  }
});

test("the shortest players of a phone's width have room for their titles, and say why nothing plays", async () => {
  const { page } = await browser.visit(playerOf(tracks[0]?.uri ?? ""));
  const boxOf = async (selector: string) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
    return { right: x + width, bottom: y + height, width, y };
  };
  const sizes = [374, 304, 200].map((width) => ({ width, height: 81 }));
  await page.locator(".embed-player.ready").waitFor();
  for (const size of sizes) {
    await page.setViewportSize(size);
    const [title, seek] = [await boxOf("h1"), await boxOf(".embed-seek")];
    expect(title.width, `${size.width}`).toBeGreaterThan(80);
    expect(title.bottom).toBeLessThanOrEqual(seek.y);
    expect(seek.bottom).toBeLessThanOrEqual(size.height);
  }
  await page.goto(playerOf(`${stack.urls.api}/tracks/1`));
  for (const size of [...sizes, { width: 500, height: 81 }]) {
    await page.setViewportSize(size);
    const [why, link] = [await boxOf("h1"), await boxOf(".embed-missing a")];
    expect(why.width, `${size.width}`).toBeGreaterThan(150);
    expect([why.y >= 0, link.bottom <= size.height, link.right <= size.width]).toEqual([true, true, true]);
  }
});
