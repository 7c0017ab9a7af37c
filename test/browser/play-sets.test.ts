import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { createPlayableTrack } from "../support/tracks.ts";
import { launchBrowser, paused, playsPast } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { bar, barButton, createSet, playIn, queued, titleInBar } from "./player.ts";

/** Buttons that play a whole set, and those that put a track into the queue. */

const browser = launchBrowser();
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

/** Puts a link or a button with these attributes into the page. */
const put = (page: Page, name: string, attributes: Record<string, string>) =>
  page.evaluate(`{
    const link = document.createElement(${JSON.stringify("href" in attributes ? "a" : "button")});
    for (const [key, value] of Object.entries(${JSON.stringify(attributes)})) link.setAttribute(key, value);
    link.textContent = ${JSON.stringify(name)};
    document.querySelector("main").append(link);
    document.dispatchEvent(new Event("turbo:render"));
  }`);

test("a set of more than a page plays whole, pauses by its button, and mixes whole", async () => {
  const titles = Array.from({ length: 55 }, (_, at) => `Part ${at + 1}`);
  const tracks: { id: number }[] = [];
  for (const [at, title] of titles.entries()) {
    const { id } =
      at < 2
        ? await finishedTrack(ana, { title })
        : await createPlayableTrack(ana, { title, sharing: "public" });
    tracks.push({ id });
  }
  const json = { playlist: { title: "A whole set", sharing: "public", tracks } };
  const set = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
  const { page, complaints } = await browser.visit(new URL("/status", set.permalink_url).href);
  const attributes = { href: set.permalink_url, "data-play-set": String(set.id), "data-title": set.title };
  await put(page, "Play", attributes);
  await put(page, "Shuffle", { ...attributes, "data-shuffle": "" });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Play A whole set" }).last().click();
  await playsPast(page, 0);
  expect(await titleInBar(page)).toBe("Part 1");
  expect(await queued(page)).toEqual(titles);
  expect(asked.filter((path) => path.endsWith("/queue"))).toHaveLength(1);
  await main.getByRole("button", { name: "Pause A whole set" }).last().focus();
  await page.keyboard.press("Space");
  await expect.poll(() => paused(page)).toBe(true);
  await main.getByRole("button", { name: "Shuffle A whole set" }).last().click();
  await expect.poll(() => queued(page)).not.toEqual(titles);
  expect((await queued(page)).toSorted()).toEqual(titles.toSorted());
  expect(complaints).toEqual([]);
});

test("a set whose private link was opened plays by it", async () => {
  const { set } = await createSet(ana, ["Hidden"], { sharing: "private" });
  const { page, complaints } = await browser.visit(new URL("/status", set.permalink_url).href);
  await put(page, "Play", {
    href: `${set.permalink_url}/${set.secret_token}`,
    "data-play-set": String(set.id),
    "data-secret": set.secret_token ?? "",
    "data-title": set.title,
  });
  await page.getByRole("button", { name: "Play A set" }).last().click();
  await playsPast(page, 0.2);
  expect(await titleInBar(page)).toBe("Hidden");
  expect(complaints).toEqual([]);
});

test("a set that is gone says so", async () => {
  const { page } = await browser.visit(stack.urls.api);
  await put(page, "Play", { "data-play-set": "999999999", "data-title": "Nothing" });
  await page.getByRole("button", { name: "Play Nothing" }).click();
  await page.getByText("This set is no longer there.").waitFor();
});

test("a track is put next or at the end, and plays at once where nothing else does", async () => {
  const { set, tracks } = await createSet(ana, ["One", "Two"]);
  const other = await finishedTrack(ana, { title: "Other" });
  const { page, complaints } = await browser.visit(set.permalink_url);
  const companions = { "data-title": "Other", "data-artist": ana.username, "data-page": other.permalink_url };
  await put(page, "Play next", { "data-queue-next": String(other.id), ...companions });
  await put(page, "Add to queue", { "data-queue-add": String(other.id), ...companions });
  await page.getByRole("button", { name: "Add to queue" }).last().click();
  await playsPast(page, 0);
  expect(await titleInBar(page)).toBe("Other");
  await playIn(page, "One").click();
  await playsPast(page, 0);
  await page.getByRole("button", { name: "Add to queue" }).last().click();
  await page.getByText("“Other” is in the queue.").waitFor();
  expect(await queued(page)).toEqual(["One", "Two", "Other"]);
  await page.getByRole("button", { name: "Play next" }).last().click();
  await page.getByText("“Other” plays next.").waitFor();
  expect(await queued(page)).toEqual(["One", "Other", "Two"]);
  await page.reload();
  await barButton(page, "Next track").click();
  await expect.poll(() => titleInBar(page)).toBe("Other");
  await playsPast(page, 0);
  expect([await bar(page).isVisible(), tracks.length]).toEqual([true, 2]);
  expect(complaints).toEqual([]);
});
