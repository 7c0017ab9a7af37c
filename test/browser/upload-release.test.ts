import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, looks, overflow } from "./browser.ts";
import { choose, drop, hollowFile, signedIn, taggedFile, uploadUrl } from "./upload.support.ts";

const browser = launchBrowser();
let ana: Person;

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
});

const visit = async (who: Person, more = {}) =>
  browser.visit(uploadUrl(), { ...(await signedIn(who)), ...more });

const setsOf = async (who: Person) => (await api.as(who).get<Playlist[]>("/me/playlists")).body;
const tracksOf = async (who: Person) => (await api.as(who).get<Track[]>("/me/tracks")).body;

/** Three files whose tags number them in another order than their names. */
const files = (album: string) =>
  Promise.all(
    ["Third", "First", "Second"].map((title, at) =>
      taggedFile(`${album}-${"abc"[at]}.mp3`, title, {
        album,
        album_artist: "The Taggers",
        track: `${["3", "1", "2"][at]}/3`,
        date: "2026-11-20",
      }),
    ),
  );

const titles = "[data-release=tracks] input";

const focused = (page: Page) => page.evaluate<string>("document.activeElement.id");

test.for(looks(390, 1440))(
  "its form fits and can be used by everybody, %i px, %s",
  async ([width, colorScheme]) => {
    const who = await createUser();
    const { page, complaints } = await visit(who, { colorScheme, viewport: { width, height: 900 } });
    await page.route(/[?&]partNumber=/, () => {});
    await choose(page, ...(await files(`Looks ${width}`)));
    await page.getByRole("button", { name: "Album" }).click();
    await expect.poll(() => page.getByLabel("Title of the release").inputValue()).toBe(`Looks ${width}`);
    const folder = process.env.PICTURES;
    if (folder)
      await page.screenshot({ path: `${folder}/release-${width}-${colorScheme}.png`, fullPage: true });
    expect([await overflow(page), await faultsOfAccess(page), complaints]).toEqual([0, [], []]);
  },
);

test("dropped files become one public set with the words, the order and the cover of their tags", async () => {
  const { page, complaints } = await visit(ana);
  await drop(page, await files("Drops"));
  await page.getByRole("button", { name: "EP" }).click();
  await expect
    .poll(() => page.locator(titles).evaluateAll((all) => all.map(({ value }) => value)))
    .toEqual(["First", "Second", "Third"]);
  expect(await page.getByLabel("Artist of all tracks").inputValue()).toBe("The Taggers");
  expect(await page.getByLabel("Date of the release").inputValue()).toBe("2026");
  await page.getByLabel("Date of the release").fill("2026-11-20");
  await page.getByRole("button", { name: "Move Third up" }).click();
  await page.getByText("Third is number 2 of 3.").waitFor();
  await page.getByLabel("Title of track 1").fill("First of all");
  await page.getByLabel("Genre").first().fill("Ambient");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Published: Drops").waitFor();
  const [set] = await setsOf(ana);
  expect(set).toMatchObject({
    title: "Drops",
    playlist_type: "ep single",
    sharing: "public",
    genre: "Ambient",
    label_name: "Tag Records",
    release_day: 20,
    artwork_url: expect.stringContaining("/images/"),
    tracks: ["First of all", "Third", "Second"].map((title) => ({
      title,
      sharing: "public",
      genre: "Ambient",
      metadata_artist: "The Taggers",
    })),
  });
  expect(complaints).toEqual([]);
});

test("a release waits for its uploads after its button was pressed, also over a reload; others see nothing of it", async () => {
  const who = await createUser();
  const { page } = await visit(who);
  let open = () => {};
  const opened = new Promise<void>((go) => {
    open = go;
  });
  await page.route(/[?&]partNumber=/, (route) => opened.then(() => route.continue().catch(() => {})));
  const paths = await files("Waits");
  await choose(page, ...paths);
  await page.getByRole("button", { name: "Album" }).click();
  await page.getByLabel("Title of the release").fill("Waits long");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("as soon as 3 files are uploaded").waitFor();
  expect(await setsOf(who)).toEqual([]);
  page.once("dialog", (dialog) => dialog.accept());
  await page.reload();
  await page.getByText("must be chosen again").waitFor();
  expect(await page.getByLabel("Title of the release").inputValue()).toBe("Waits long");
  const other = await createUser();
  const { storageState } = await signedIn(other);
  const theirs = typeof storageState === "object" ? storageState.cookies : [];
  open();
  await choose(page, ...paths);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Published: Waits long").waitFor();
  expect((await setsOf(who)).map(({ title }) => title)).toEqual(["Waits long"]);
  await page.reload();
  await page.getByRole("heading", { name: "First", exact: true }).waitFor();
  await page.getByText("Ready", { exact: true }).first().waitFor();
  await page.context().clearCookies();
  await page.context().addCookies(theirs);
  await page.goto(uploadUrl());
  await page.getByText("Drop your audio files here").waitFor();
  expect(await page.locator(".upload").count()).toBe(0);
});

test("a release that waits to be scheduled says so; given up, it leaves the focus at the offer and nothing to the next", async () => {
  const { page } = await visit(await createUser());
  await page.route(/[?&]partNumber=/, () => {});
  await choose(page, ...(await files("Given up")));
  await page.getByRole("button", { name: "Album" }).click();
  await page.locator("#release-publish_at").fill("2040-01-01T12:00");
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByText("It is scheduled as soon as 3 files are uploaded").waitFor();
  await page.getByRole("button", { name: "Publish one by one instead" }).press("Enter");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("EP");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(titles).count()).toBe(3);
  expect(await page.locator("#release-publish_at").inputValue()).toBe("");
  expect(await page.getByText("as soon as").count()).toBe(0);
});

test("a track without a title is said to be so in the list of the release, and leads there", async () => {
  const { page } = await visit(await createUser());
  await choose(page, ...(await files("Untitled")));
  await page.getByRole("button", { name: "EP" }).click();
  await page.getByText("Ready", { exact: true }).nth(2).waitFor();
  await page.getByLabel("Title of track 2").fill("");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Title must not be empty").first().waitFor();
  const label = "document.activeElement.getAttribute('aria-label')";
  await expect.poll(() => page.evaluate(label)).toBe("Title of track 2");
  expect(await page.getByLabel("Title of track 2").getAttribute("aria-invalid")).toBe("true");
});

test("a title of a release that is selected when the tags of its files arrive is typed over", async () => {
  const { page } = await visit(await createUser());
  const read = Promise.withResolvers<void>();
  // The reader of tags is the one script that the page loads later.
  await page.route("**/*.js", (route) => read.promise.then(() => route.continue()));
  await choose(page, ...(await files("Replaced")));
  await page.getByRole("button", { name: "EP", exact: true }).click();
  await page.getByLabel("Title of the release").selectText();
  read.resolve();
  await expect.poll(() => page.getByLabel("Artist of all tracks").inputValue()).toBe("The Taggers");
  await page.keyboard.type("Typed");
  expect(await page.getByLabel("Title of the release").inputValue()).toBe("Typed");
});

test("after a reload files stand, and join a release, in the order in which they were begun", async () => {
  const who = await createUser();
  const { page } = await visit(who);
  const words = ["Dawn", "Noon", "Dusk"];
  for (const [at, title] of words.entries()) {
    await choose(page, await taggedFile(`order-${title}.mp3`, title));
    await expect.poll(async () => (await tracksOf(who)).length).toBe(at + 1);
  }
  await page.reload();
  await expect.poll(() => page.locator(".upload h2").allTextContents()).toEqual(words);
  await page.getByRole("button", { name: "EP" }).click();
  const rows = page.getByLabel(/^Title of track/);
  expect(await Promise.all((await rows.all()).map((row) => row.inputValue()))).toEqual(words);
});

test("files that are tracks already give a release the words of their tags, in another browser too", async () => {
  const who = await createUser();
  const paths = await files("Again");
  const { page } = await visit(who);
  await choose(page, ...paths);
  await expect.poll(async () => (await tracksOf(who)).length).toBe(3);
  const { page: other } = await visit(who);
  await choose(other, ...paths);
  await other.getByRole("button", { name: "EP" }).click();
  await expect.poll(() => other.getByLabel("Title of the release").inputValue()).toBe("Again");
  expect(await other.getByLabel("Artist of all tracks").inputValue()).toBe("The Taggers");
  expect(await tracksOf(who)).toHaveLength(3);
});

test("a file that is no audio is named, and the rest is published without it", async () => {
  const who = await createUser();
  const { page } = await visit(who);
  await choose(page, ...(await files("Without")), hollowFile("broken.wav", 9_000));
  await page.getByRole("button", { name: "EP" }).click();
  await page.getByText("Encoding failed").first().waitFor();
  await page.getByLabel("Title of the release").fill("Three of four");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("“broken” could not be encoded").waitFor();
  expect((await tracksOf(who)).map(({ sharing }) => sharing)).not.toContain("public");
  await page.getByRole("button", { name: "Leave out broken" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Published: Three of four").waitFor();
  expect((await setsOf(who))[0]?.track_count).toBe(3);
});

test("a refused date stands beside its field, and nothing is public", async () => {
  const who = await createUser();
  const { page } = await visit(who);
  await choose(page, ...(await files("Dated")));
  await page.getByRole("button", { name: "Album" }).click();
  await page.getByLabel("Date of the release").fill("2026-02-31");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Date of the release is part of no date that exists").waitFor();
  await expect.poll(() => focused(page)).toBe("release-release_date");
  await expect.poll(() => page.getByText("Publishing …").count()).toBe(0);
  expect(await setsOf(who)).toEqual([]);
  await page.getByLabel("Date of the release").fill("2026-02");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Published: Dated").waitFor();
  expect((await tracksOf(who)).map(({ release_month, release_day }) => [release_month, release_day])).toEqual(
    [
      [2, null],
      [2, null],
      [2, null],
    ],
  );
});
