import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import type { Played } from "../../functions/web/embed/playback.ts";
import type { Oembed } from "../../functions/web/embed/representation.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { openBlog } from "./blog.ts";
import { launchBrowser, overflow, playsPast, styleOf } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
const blogPage = openBlog();
let ana: Person;
let tracks: Track[];
let set: Playlist;

beforeAll(async () => {
  ana = await createUserWithPassword();
  tracks = [
    await finishedTrack(ana, { title: "The first" }),
    await finishedTrack(ana, { title: "The second" }),
  ];
  const json = { playlist: { title: "Both", tracks: tracks.map(({ id }) => ({ id })) } };
  set = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
  const comment = { body: "Here it <b>begins</b>", timestamp: 0 };
  await api.as(ana).post(`/tracks/${tracks[0]?.id}/comments`, { json: { comment } });
});

async function embedded(url: string, given: Record<string, string> = {}) {
  const { body } = await api.get<Oembed>(`/oembed?${new URLSearchParams({ url, ...given })}`);
  return browser.visit(blogPage(body.html));
}

const AUDIO = "document.querySelector('audio')";

test.each([
  ["the frame", {}],
  ["the older widget", { iframe: "false" }],
])("%s plays in a page of another origin", async (_, given) => {
  const { page, complaints } = await embedded(tracks[0]?.permalink_url ?? "", given);
  const player = () => page.frames().find((one) => one.url().startsWith(`${stack.urls.api}/player/`));
  await expect.poll(() => player() !== undefined).toBe(true);
  const frame = player();
  await frame?.getByRole("button", { name: "Play" }).click();
  await expect
    .poll(() => frame?.evaluate<boolean>(`!${AUDIO}.paused && ${AUDIO}.currentTime > 0.3`))
    .toBe(true);
  expect(await frame?.locator("h1").textContent()).toBe("The first");
  expect(complaints).toEqual([]);
});

const playerOf = (url: string, more = "") =>
  `${stack.urls.api}/player/?url=${encodeURIComponent(url)}${more}`;

test("a playlist plays its tracks in turn, and any one when chosen, and stays at one if the next does not come", async () => {
  const { page, complaints } = await browser.visit(playerOf(set.uri));
  await page.getByRole("button", { name: "Play" }).click();
  await playsPast(page, 0.1);
  expect(await page.locator("h1").textContent()).toBe("The first");
  await page.evaluate(`void ${AUDIO}.dispatchEvent(new Event("ended"))`);
  await expect.poll(() => page.locator("h1").textContent()).toBe("The second");
  await playsPast(page, 0.1);
  // The page of the second does not come any more, when it is foreseen nor when it is chosen.
  let asked = 0;
  let status: number | undefined;
  await page.route(`**/player/?*track_id=${tracks[1]?.id}`, (route) => {
    asked++;
    return status ? route.fulfill({ status }) : route.abort();
  });
  await page
    .getByRole("link", { name: /The first/ })
    .last()
    .click();
  const current = () => page.locator("[aria-current] .listed-title").textContent();
  await expect.poll(current).toBe("The first");
  expect(complaints).toEqual([]);
  await playsPast(page, 1);
  await page.getByRole("link", { name: /The second/ }).click();
  await page.getByRole("alert").getByText("The track could not be loaded.").waitFor();
  expect([await current(), asked]).toEqual(["The first", 2]);
  // Its owner allows it no longer.
  status = 403;
  await page.getByRole("link", { name: /The second/ }).click();
  await page.getByRole("alert").getByText("This track is no longer there.").waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 1.2);
});

test("a timed comment appears while its moment plays, unless turned off", async () => {
  const { page } = await browser.visit(playerOf(tracks[0]?.uri ?? ""));
  await page.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => page.locator(".said").textContent()).toBe(`${ana.username}: Here it begins`);
  expect(await page.locator(".waveform-comments i").getAttribute("title")).toBe(
    `${ana.username}: Here it begins`,
  );
  const without = await browser.visit(playerOf(tracks[0]?.uri ?? "", "&show_comments=false"));
  await without.page.getByRole("button", { name: "Play" }).click();
  await playsPast(without.page, 0.1);
  expect(await without.page.locator(".said").textContent()).toBe("");
  expect(await without.page.locator(".waveform-comments i").count()).toBe(0);
});

test("the play button has the requested colour and a visible sign", async () => {
  for (const [color, background, sign] of [
    ["ff5500", "rgb(255, 85, 0)", "rgb(255, 255, 255)"],
    ["ffee00", "rgb(255, 238, 0)", "rgb(0, 0, 0)"],
  ] as const) {
    const { page } = await browser.visit(playerOf(tracks[0]?.uri ?? "", `&color=${color}`));
    await expect.poll(() => styleOf(page, ".embed-play", "backgroundColor")).toBe(background);
    expect(await styleOf(page, ".embed-play", "color")).toBe(sign);
  }
});

test.for([
  [700, 166],
  [700, 81],
  [200, 81],
  [200, 166],
  [200, 450],
  [300, 450],
  [320, 166],
] as const)("the player fits %i by %i pixels without overflow", async ([width, height]) => {
  const { page } = await browser.visit(playerOf(set.uri), { viewport: { width, height } });
  expect(await overflow(page)).toBe(0);
  const play = await page.getByRole("button", { name: "Play" }).boundingBox();
  expect(play && play.y >= 0 && play.y + play.height <= height && play.x + play.width <= width).toBe(true);
  expect((await page.locator("h1").boundingBox())?.width).toBeGreaterThan(70);
});

test("a list without scripts consists of links to the pages that play each track", async () => {
  const { page } = await browser.visit(playerOf(set.uri), { javaScriptEnabled: false });
  await page.getByRole("link", { name: /The second/ }).click();
  expect(await page.locator("h1").textContent()).toBe("The second");
  expect(await page.locator("audio[controls]").isVisible()).toBe(true);
});

test("pages of a user and of a playlist play their lists", async () => {
  for (const address of [set.user.permalink_url, set.permalink_url]) {
    const { page, complaints } = await browser.visit(address);
    await page.getByRole("button", { name: "Play The second" }).click();
    await playsPast(page, 0.1);
    await expect.poll(() => page.locator(".deck-title").textContent()).toBe("The second");
    expect(complaints).toEqual([]);
  }
});

test("without scripts they lead to the page of each track", async () => {
  for (const address of [set.user.permalink_url, set.permalink_url]) {
    const { page } = await browser.visit(address, { javaScriptEnabled: false });
    await page.getByRole("link", { name: "Play The second" }).click();
    expect(await page.locator("h1").textContent()).toBe("The second");
    expect(await page.locator("audio[controls]").isVisible()).toBe(true);
  }
});

test("while another track is on its way, a press is meant for that one", async () => {
  const { page, complaints } = await browser.visit(playerOf(set.uri));
  let come = () => {};
  let late: Promise<void> | undefined;
  const holdPages = () => {
    late = new Promise((resolve) => {
      come = resolve;
    });
  };
  // The page of the next track is fetched while this one plays.
  await page.route("**/player/?*", async (route) => {
    await late;
    await route.continue();
  });
  const choose = async (title: string) => {
    await page.getByRole("link", { name: title }).click();
    // The link has the focus, and would take the key.
    await page.evaluate("document.activeElement.blur()");
  };
  const control = page.locator(".embed-player.loading .embed-play");
  const label = () => control.getAttribute("aria-label");

  holdPages();
  await page.getByRole("button", { name: "Play" }).click();
  await playsPast(page, 0.1);
  await page.evaluate(`{
    globalThis.sounded = [];
    ${AUDIO}.addEventListener("playing", () => sounded.push(document.querySelector("h1").textContent));
  }`);
  await choose("The second");
  await expect.poll(label).toBe("Pause");
  await page.keyboard.press("Space");
  await expect.poll(label).toBe("Play");
  come();
  await expect.poll(() => page.locator("h1").textContent()).toBe("The second");
  expect(await page.evaluate(`${AUDIO}.paused`)).toBe(true);

  holdPages();
  await choose("The first");
  await expect.poll(label).toBe("Pause");
  await page.keyboard.press("Space");
  await page.keyboard.press("Space");
  await expect.poll(label).toBe("Pause");
  come();
  await expect.poll(() => page.evaluate("sounded")).toEqual(["The first"]);
  expect(complaints).toEqual([]);
});

test("a track that is left before the player's script has come is not fetched", async () => {
  // Without HLS of the browser's own, hls.js plays.
  const withoutHls = "HTMLMediaElement.prototype.canPlayType = () => ''";
  const { page, complaints } = await browser.visit(playerOf(set.uri), {
    prepare: (shown) => shown.addInitScript(withoutHls),
  });
  const [master, fetched] = [await streamOf(page), [] as string[]];
  let come = () => {};
  const late = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route("**/hls.light.min.js", async (route) => {
    await late;
    await route.continue();
  });
  page.on("request", (request) => fetched.push(request.url()));
  const asked = page.waitForRequest("**/hls.light.min.js");
  await page.getByRole("button", { name: "Play" }).click();
  await asked;
  await page.getByRole("link", { name: "The second" }).click();
  await expect.poll(() => page.locator("h1").textContent()).toBe("The second");
  come();
  await playsPast(page, 1);
  expect(fetched.filter((address) => address.startsWith(master))).toEqual([]);
  expect(complaints).toEqual([]);
});

/** The address below which the page's present stream lies. */
async function streamOf(page: Page): Promise<string> {
  const block = await page.locator('[data-block="played"]').textContent();
  return new URL(".", (JSON.parse(block ?? "") as Played).sources?.hls).href;
}
