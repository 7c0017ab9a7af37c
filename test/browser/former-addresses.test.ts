import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { like, share } from "../api/activities/activities.support.ts";
import { createComment } from "../api/comments/comments.support.ts";
import { createPlaylist } from "../api/playlists/playlists.ts";
import { api } from "../support/api.ts";
import { operate } from "../support/operate.ts";
import { createUser, createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { uploadFinishedTrack } from "../support/tracks.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, looks, overflow } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { signInByForm, storageStateOf } from "./sign-in.ts";
import { choose, signedIn, taggedFile, uploadUrl } from "./upload.support.ts";

const browser = launchBrowser();
const web = stack.urls.api;
let ana: Person;
let fan: Person;
let storageState: Awaited<ReturnType<typeof storageStateOf>>;

beforeAll(async () => {
  [ana, fan] = [await createUserWithPassword(), await createUser()];
  const { page } = await browser.visit(`${web}/session/new?next=/you/tracks`);
  await signInByForm(page, ana);
  await page.getByRole("heading", { name: "Your tracks" }).waitFor();
  storageState = await storageStateOf(page);
});

const visit = (path: string, options = {}) => browser.visit(web + path, { storageState, ...options });

test("an address is changed on the edit page, and found again by every old way", async () => {
  const song = await finishedTrack(ana, { title: "Wanderer" });
  const old = new URL(song.permalink_url).pathname;
  const { page, complaints } = await visit(`${old}/edit`);
  await page.getByRole("link", { name: "Change the address …" }).click();
  await page.getByLabel("Address", { exact: true }).fill("no way");
  await page.getByRole("button", { name: "Change the address" }).click();
  await page.getByText("may hold letters from a to z").first().waitFor();
  await page.getByLabel("Address", { exact: true }).fill("traveller");
  await page.getByRole("button", { name: "Change the address" }).click();
  await page.waitForURL(`**/${ana.username}/traveller`);
  // A refused form is a 422, which the browser notes.
  expect(complaints.filter((one) => !one.includes("422"))).toEqual([]);

  const { page: reader } = await browser.visit(`${web}${old}?utm=old#comments`);
  expect(reader.url()).toBe(`${web}/${ana.username}/traveller?utm=old#comments`);
  await reader.getByRole("heading", { level: 1, name: "Wanderer" }).waitFor();
  await reader.goto(`${web}/player?${new URLSearchParams({ url: song.permalink_url })}`);
  await reader.getByText("Wanderer").first().waitFor();
  await reader.goto(`${web}/${ana.username}/feed.xml`);
  expect(await reader.content()).toContain("/traveller");

  await page.goto(`${web}/you/address`);
  await page.getByLabel("Address", { exact: true }).fill(`${ana.username}-moved`);
  await page.getByRole("button", { name: "Change the address" }).click();
  await page.waitForURL(`**/${ana.username}-moved`);
  await reader.goto(`${web}${old}`);
  expect(reader.url()).toBe(`${web}/${ana.username}-moved/traveller`);
  // The first reader keeps the feed for a minute.
  const { page: another } = await browser.visit(`${web}/${ana.username}/feed.xml`);
  expect(another.url()).toBe(`${web}/${ana.username}-moved/feed.xml`);
});

test("an upload supersedes a track on its edit page, and keeps everything", async () => {
  const old = await finishedTrack(ana, { title: "Rough mix" });
  await like(fan, old);
  await createComment(fan, old, { body: "Needs more bass", timestamp: 1_000 });
  const set = await createPlaylist(fan, { title: "Favourites", tracks: [{ id: old.id }] });
  const master = await uploadFinishedTrack(ana, { title: "Master", sharing: "private" });
  await share(ana, master, [fan]);

  const { page, complaints } = await visit(`${new URL(old.permalink_url).pathname}/edit`);
  await page.getByRole("link", { name: "Replace with a new upload …" }).click();
  await page.getByRole("link", { name: "Upload a new recording" }).click();
  await page.getByText("This upload will replace “Rough mix”").waitFor();
  await page.getByRole("link", { name: "Choose it" }).click();
  await page.getByLabel("New upload").selectOption(String(master.id));
  await page.getByRole("button", { name: "Replace the older recording" }).click();
  await page.waitForURL(`**${new URL(old.permalink_url).pathname}`);
  await page.getByRole("heading", { level: 1, name: "Master" }).waitFor();
  await page.getByText("Needs more bass").first().waitFor();
  expect(complaints).toEqual([]);

  const now = (await api.as(fan).get<Track>(`/tracks/${master.id}`)).body;
  expect([now.permalink_url, now.favoritings_count, now.user_favorite, now.comment_count]).toEqual([
    old.permalink_url,
    1,
    true,
    1,
  ]);
  const { page: reader } = await browser.visit(set.permalink_url);
  await reader.getByRole("link", { name: "Master", exact: true }).first().waitFor();
});

test("an upload for another's place takes it on the desk, and a refusal leaves both whole", async () => {
  const old = await finishedTrack(ana, { title: "First take" });
  const { page, complaints } = await browser.visit(`${uploadUrl()}?replaces=${old.id}`, await signedIn(ana));
  await choose(page, await taggedFile("second-take.mp3", "Second take"));
  const button = page.getByRole("button", { name: "Replace “First take”" });
  await button.waitFor();
  await operate("track take-down", "--track", String(old.id), "--reason", "Somebody claims it");
  await button.click();
  await page.locator("[data-part=problem]").waitFor();

  await operate("track put-back", "--track", String(old.id));
  const titles = async () =>
    (await api.as(ana).get<Track[]>("/me/tracks")).body
      .map(({ title }) => title)
      .filter((title) => /take$/.test(title));
  expect(await titles()).toEqual(["Second take", "First take"]);
  await button.click();
  await page.waitForURL(old.permalink_url);
  await page.getByRole("heading", { name: "Second take" }).waitFor();
  expect(await titles()).toEqual(["Second take"]);
  expect(complaints.filter((text) => !text.includes("403"))).toEqual([]);
});

test.for(looks(320, 1440))(
  "the forms fit and can be used by everybody, %i px, %s",
  async ([width, colorScheme]) => {
    const first = await finishedTrack(ana, { title: "Before", sharing: "private" });
    const second = await finishedTrack(ana, { title: "After", sharing: "private" });
    await api
      .as(ana)
      .put(`/tracks/${first.id}/permalink`, { json: { permalink: `p${width}${colorScheme}` } });
    const { page, complaints } = await visit("/terms", { colorScheme, viewport: { width, height: 900 } });
    for (const path of [
      `/you/address?track=${first.id}`,
      "/you/address",
      `/you/replace?track=${first.id}`,
      `/you/take-place?track=${second.id}`,
      `/upload?replaces=${first.id}`,
    ]) {
      await page.goto(web + path);
      const headings = await page.getByRole("heading", { level: 1 }).count();
      expect([path, await overflow(page), headings, await faultsOfAccess(page), complaints]).toEqual([
        path,
        0,
        1,
        [],
        [],
      ]);
    }
  },
);
