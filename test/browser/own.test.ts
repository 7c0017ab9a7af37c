import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createPng } from "../support/images.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { createRetryableTrack, createTrack } from "../support/tracks.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, looks, overflow, tabTo } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { signInByForm, storageStateOf } from "./sign-in.ts";
import { hollowFile } from "./upload.support.ts";

const browser = launchBrowser();
const web = stack.urls.api;
let ana: Person;
let storageState: Awaited<ReturnType<typeof storageStateOf>>;
let ids: number[];
let set: Playlist;

/** Long enough to widen a page that does not break it. */
const LONG = "Donaudampfschifffahrts".repeat(8);

beforeAll(async () => {
  ana = await createUserWithPassword();
  const tracks = [
    await finishedTrack(ana, { title: "Morning" }),
    await createTrack(ana, { title: LONG, permalink: "long", sharing: "private" }),
    await createRetryableTrack(ana, { title: "Evening", permalink: "evening" }),
  ];
  ids = tracks.map(({ id }) => id);
  await sql("update tracks set permalink = 'morning', playback_count = 1234 where id = $1", [ids[0]]);
  await sql("update encoding_jobs set failure_reason = 'lost' where track_id = $1", [ids[2]]);
  const json = { playlist: { title: "Days", sharing: "private", tracks: ids.map((id) => ({ id })) } };
  set = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
  const { page } = await browser.visit(`${web}/session/new?next=/you/tracks`);
  await signInByForm(page, ana);
  await page.getByRole("heading", { name: "Your tracks" }).waitFor();
  storageState = await storageStateOf(page);
});

const visit = (path: string, options = {}) => browser.visit(web + path, { storageState, ...options });

const readTrack = async (id: number | undefined) => (await api.as(ana).get<Track>(`/tracks/${id}`)).body;
const order = async () =>
  (await api.as(ana).get<Playlist>(`/playlists/${set.id}`)).body.tracks?.map(({ id }) => id);

const PAGES = {
  "your tracks": () => "/you/tracks",
  "your sets": () => "/you/sets",
  "a new set": () => "/you/sets/new",
  "add to a set": () => `/you/sets/add?track=${ids[0]}`,
  "selected tracks": () => `/you/tracks/selected?all=${ids.join(",")}`,
  "selected tracks for a set": () => `/you/tracks/selected/set?all=${ids.join(",")}`,
  "the deletion of selected tracks": () => `/you/tracks/selected/delete?all=${ids.join(",")}`,
  "a set's picker": () => `/${ana.username}/sets/days/edit?find=`,
  "a track's edit page": () => `/${ana.username}/long/edit`,
  "a set's edit page": () => `/${ana.username}/sets/days/edit`,
  "a track's deletion": () => `/you/tracks/${ids[1]}/delete`,
};

test.for(looks(320, 1440))(
  "every page fits and can be used by everybody, %i px, %s",
  async ([width, colorScheme]) => {
    const { page, complaints } = await visit("/terms", { colorScheme, viewport: { width, height: 900 } });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(web + path());
      for (const details of await page.locator("details.field-group summary").all()) await details.click();
      await picture(page, `${name} ${width} ${colorScheme}`);
      const headings = await page.getByRole("heading", { level: 1 }).count();
      const found = [await overflow(page), headings, await faultsOfAccess(page), complaints];
      expect([name, ...found]).toEqual([name, 0, 1, [], []]);
    }
  },
);

/** Kept where `PICTURES` says, to be looked at. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(" ", "-")}.png`, fullPage: true });
}

test("a track is edited by keyboard alone, and a mistake is put right where it stands", async () => {
  const { page } = await visit(`/${ana.username}/morning/edit`);
  await tabTo(page, "#edit-title");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type(" ");
  await page.keyboard.press("Enter");
  await page.getByText("Title must not be empty").first().waitFor();
  expect(await page.evaluate<string>("document.activeElement.id")).toBe("edit-problems");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("edit-title");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Dawn");
  await tabTo(page, "#edit-downloadable");
  await page.keyboard.press("Space");
  await tabTo(page, ".form > button");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/${ana.username}/morning`);
  await page.getByRole("heading", { name: "Dawn" }).waitFor();
  expect(await readTrack(ids[0])).toMatchObject({ title: "Dawn", downloadable: true });
});

test("a chosen picture is shown before it is sent", async () => {
  const { page, complaints } = await visit(`/${ana.username}/morning/edit`);
  const buffer = await createPng();
  await page
    .getByLabel("Artwork", { exact: true })
    .setInputFiles({ name: "a.png", mimeType: "image/png", buffer });
  await page.getByAltText("The chosen artwork").waitFor();
  // Not later: the next page has a waveform, and this track's files were never made.
  expect(complaints).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL(`**/${ana.username}/morning`);
  expect((await readTrack(ids[0])).artwork_url).toContain("/images/");
});

test("a picture that is too large is refused before it is sent, and what was typed stays", async () => {
  const { page } = await visit(`/${ana.username}/morning/edit`);
  const artwork = page.getByLabel("Artwork", { exact: true });
  await page.getByLabel("Genre").fill("Dusk");
  await artwork.setInputFiles(hollowFile("a.png", 21 * 2 ** 20));
  await page.getByRole("button", { name: "Save" }).click();
  expect(await artwork.evaluate((field: { validationMessage: string }) => field.validationMessage)).toBe(
    "Artwork may have 10 MB at most.",
  );
  await artwork.setInputFiles([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL(`**/${ana.username}/morning`);
  expect(await readTrack(ids[0])).toMatchObject({ genre: "Dusk" });
});

describe("the order of a set", () => {
  const path = () => `/${ana.username}/sets/days/edit`;
  const titles = (page: Page) => page.locator(".order .row-words > a").allTextContents();

  test("is changed by keyboard in place, the focus stays, and the fields can be saved afterwards", async () => {
    const { page } = await visit(path());
    const [first = "", second = ""] = await titles(page);
    await page.getByRole("button", { name: `Move ${first} down` }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(`${first} is number 2 of 3.`).waitFor();
    expect((await titles(page)).slice(0, 2)).toEqual([second, first]);
    expect(await page.evaluate<string>("document.activeElement.getAttribute('aria-label')")).toBe(
      `Move ${first} down`,
    );
    const shown = await page
      .locator(".order li")
      .evaluateAll((items) => items.map((item) => Number(item.dataset.id)));
    await expect.poll(order).toEqual(shown);
    await page.getByLabel("Genre").fill("Jazz");
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL("**/sets/days");
  });

  test("leaves the focus at the way back by one when a track has reached the end", async () => {
    const { page } = await visit(path());
    const [, second = ""] = await titles(page);
    await page.getByRole("button", { name: `Move ${second} down` }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(`${second} is number 3 of 3.`).waitFor();
    expect(await page.evaluate<string>("document.activeElement.getAttribute('aria-label')")).toBe(
      `Move ${second} up`,
    );
  });

  test("is not said to be as shown when a track was taken out in another window meanwhile", async () => {
    const json = { playlist: { title: "Weeks", tracks: ids.map((id) => ({ id })) } };
    const { id, permalink } = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
    const { page } = await visit(`/${ana.username}/sets/${permalink}/edit`);
    await api.as(ana).delete(`/playlists/${id}/tracks/${ids[2]}`);
    await page.getByRole("button", { name: "Move Evening up" }).click();
    await page.getByText("The set was changed in another window.").waitFor();
  });

  test("is not said to be saved when a reply breaks off, and the next move is saved", async () => {
    const { page } = await visit(path());
    const [first = ""] = await titles(page);
    await page.route("**/tracks", (route) => route.fulfill({ body: "{", contentType: "application/json" }), {
      times: 1,
    });
    await page.getByRole("button", { name: `Move ${first} down` }).click();
    await page.getByText("The order is not saved.").waitFor();
    const saved = page.waitForResponse((reply) => reply.request().method() === "POST");
    await page.getByRole("button", { name: `Move ${first} up` }).click();
    expect((await saved).status()).toBe(200);
  });

  test("is shown by the set's page after Back", async () => {
    const { page } = await visit(path().replace("/edit", ""));
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Edit set" }).waitFor();
    const [first = ""] = await titles(page);
    const saved = page.waitForResponse((reply) => reply.request().method() === "POST");
    await page.getByRole("button", { name: `Move ${first} down` }).click();
    await (await saved).finished();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Days" }).waitFor();
    await expect.poll(() => page.locator("main .row-title > a").first().textContent()).not.toBe(first);
  });

  test("is changed by dragging", async () => {
    const { page } = await visit(path());
    const before = await titles(page);
    const handles = page.locator(".handle");
    const [from, to] = [await handles.nth(0).boundingBox(), await handles.nth(2).boundingBox()];
    if (!from || !to) throw new Error("no handles are shown");
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + to.height, { steps: 8 });
    await page.mouse.up();
    expect(await titles(page)).toEqual([...before.slice(1), before[0]]);
    const shown = await page
      .locator(".order li")
      .evaluateAll((items) => items.map((item) => Number(item.dataset.id)));
    await expect.poll(order).toEqual(shown);
  });

  test("is changed without script too", async () => {
    const { page } = await visit(path(), { javaScriptEnabled: false });
    const [first = "", second = ""] = await titles(page);
    expect(await page.locator(".handle").first().isVisible()).toBe(false);
    await page.getByRole("button", { name: `Move ${second} up` }).click();
    await page.waitForURL("**/edit#track-*");
    expect((await titles(page)).slice(0, 2)).toEqual([second, first]);
  });
});

test("the focus goes to the next track when one is taken out of a set, and to the list without any", async () => {
  const json = { playlist: { title: "Nights", tracks: ids.slice(0, 2).map((id) => ({ id })) } };
  const { permalink } = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
  const { page } = await visit(`/${ana.username}/sets/${permalink}/edit`);
  const focused = () => page.evaluate<string>("document.activeElement.id");
  for (const place of [`track-${ids[1]}`, "tracks"]) {
    await page
      .getByRole("button", { name: /^Remove / })
      .first()
      .focus();
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe(place);
  }
});

test("a list that looks again after the session's end begins no sign-in, which would drop one under way", async () => {
  const { page } = await visit("/you/tracks", { prepare: (page: Page) => page.clock.install() });
  await page.context().clearCookies();
  const look = page.waitForResponse((reply) => reply.url().endsWith("/you/tracks"));
  await page.clock.runFor(4_000);
  expect((await look).status()).toBe(303);
  await page.evaluate("fetch('/terms').then((reply) => reply.text())");
  expect((await page.context().cookies()).filter(({ name }) => name.includes("entry"))).toEqual([]);
});

test("the focus goes to the row of a set that was made for a track", async () => {
  const { page } = await visit(`/you/sets/add?track=${ids[0]}`);
  await page.getByText("New set", { exact: true }).click();
  await page.getByRole("main").getByLabel("Title").fill("Mornings");
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate<string | null>("document.activeElement.textContent");
  await expect.poll(focused).toMatch(/^Remove .* from Mornings/);
});

test("that something is saved is said each time, though the page stays the same", async () => {
  const { page } = await visit("/you/links");
  await page.evaluate(`{
    window.said = [];
    const note = ([{ target }]) => window.said.push(target.textContent);
    new MutationObserver(note).observe(document.querySelector("#page-said"), { childList: true });
  }`);
  const said = () => page.evaluate<string[]>("window.said");
  const words = "Links on your profile · Soundpost. Saved.";
  for (const times of [1, 2]) {
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(said).toEqual(Array(times).fill(words));
  }
});

test("a track is added to a set and taken out without script", async () => {
  const { page } = await visit(`/you/sets/add?track=${ids[0]}`, { javaScriptEnabled: false });
  await page.getByRole("button", { name: /^Remove .* from Days/ }).click();
  await page.getByRole("button", { name: /^Add .* to Days/ }).click();
  await page.getByRole("button", { name: /^Remove .* from Days/ }).waitFor();
  expect(await order()).toContain(ids[0]);
});

test("on a phone, the buttons of a row are pressed, not the title's link", async () => {
  const { page } = await visit("/you/tracks", { viewport: { width: 390, height: 800 } });
  await page.locator('[aria-label="More: Evening"]').click();
  await page.locator(".more[open]").getByRole("link", { name: "Edit" }).click();
  await page.getByRole("heading", { level: 1, name: "Edit track" }).waitFor();
});
