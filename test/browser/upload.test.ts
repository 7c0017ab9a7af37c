import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createPng } from "../support/images.ts";
import { createUser, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { launchBrowser, overflow, tabTo } from "./browser.ts";
import { queued } from "./player.ts";
import { cardOf, choose, hollowFile, signedIn, taggedFile, uploadUrl } from "./upload.support.ts";

const browser = launchBrowser();
let ana: Person;

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
});

const visit = async (more = {}) => browser.visit(uploadUrl(), { ...(await signedIn(ana)), ...more });

const tracksOf = async (title: string, owner = ana): Promise<Track[]> =>
  (await api.as(owner).get<Track[]>("/me/tracks?limit=50")).body.filter((track) => track.title === title);

const widths = (page: Page) =>
  page.evaluate<number[]>(
    "Array.from(document.querySelectorAll('.upload img'), (image) => image.naturalWidth)",
  );

/** Drops files from outside, as a file manager does. */
async function drop(page: Page, ...paths: string[]): Promise<void> {
  const files = paths.map((path) => [basename(path), readFileSync(path).toString("base64")]);
  await page.evaluate(`{
    const files = new DataTransfer();
    for (const [name, content] of ${JSON.stringify(files)})
      files.items.add(new File([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))], name));
    for (const type of ["dragover", "drop"])
      document.querySelector("h1").dispatchEvent(
        new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
  }`);
}

test("dropped files become private tracks with the words and the picture of their tags", async () => {
  const { page, complaints } = await visit();
  await drop(page, await taggedFile("one.mp3", "Tagged one"), await taggedFile("two.mp3", "Tagged two"));
  for (const title of ["Tagged one", "Tagged two"]) {
    const card = cardOf(page, title);
    await card.getByText("Ready", { exact: true }).waitFor();
    expect(await card.getByLabel("Artist", { exact: true }).inputValue()).toBe("The Taggers");
    expect(await widths(page)).toContain(320);
    await expect.poll(async () => (await tracksOf(title))[0]?.artwork_url).toContain("/images/");
    const [track] = await tracksOf(title);
    expect(track).toMatchObject({
      sharing: "private",
      metadata_artist: "The Taggers",
      genre: "Folk",
      release_year: 2019,
      label_name: "Tag Records",
      isrc: "GBTAG1900001",
      bpm: 124,
      key_signature: "Am",
      state: "finished",
    });
    await card.getByText("label Tag Records, ISRC GBTAG1900001, BPM 124, key Am").waitFor();
    const link = await card.getByLabel("Link to share").inputValue();
    expect(link).toBe(`${track?.permalink_url}/${track?.secret_token}`);
    expect((await fetch(link)).status).toBe(200);
    const play = card.getByRole("button", { name: `Play ${title}` });
    expect(await play.getAttribute("data-play")).toBe(String(track?.id));
  }
  // Never answered, so that a card without a track stands beside them.
  await page.route(/[?&]partNumber=/, () => {});
  await choose(page, hollowFile("three.wav", 9_000));
  const three = cardOf(page, "three.wav");
  await three.getByRole("button", { name: "Save: three.wav" }).waitFor();
  await page.getByRole("button", { name: "Play Tagged one" }).click();
  await expect.poll(() => queued(page)).toHaveLength(2);
  await three.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => page.locator(".upload").count()).toBe(2);
  expect(complaints).toEqual([]);
});

test("a dropped folder gives its audio in the order of its names, and one without audio is refused", async () => {
  // Another person's, because the next tests' pages would show what is not sent yet.
  const { page } = await browser.visit(uploadUrl(), await signedIn(await createUser()));
  const folder = mkdtempSync(join(tmpdir(), "soundpost-dropped-"));
  mkdirSync(join(folder, "Album", "Disc 2"), { recursive: true });
  mkdirSync(join(folder, "Pictures"));
  for (const path of ["10 b.mp3", "9 a.mp3", "cover.jpg", "._9 a.mp3", "Disc 2/1 c.flac"])
    writeFileSync(join(folder, "Album", path), `hollow ${path}`);
  const mouse = await page.context().newCDPSession(page);
  const files = ["Album", "Pictures"].map((name) => join(folder, name));
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await mouse.send("Input.dispatchDragEvent", { type, x: 300, y: 200, data });
  await expect.poll(() => page.locator("[data-part=name]").allTextContents()).toHaveLength(3);
  const titles = await page
    .locator(".upload [name=title]")
    .evaluateAll((all) => all.map(({ value }) => value));
  expect(titles).toEqual(["9 a", "10 b", "1 c"]);
  const refusals = page.getByRole("alert").getByRole("listitem");
  expect(await refusals.allTextContents()).toEqual(["The folder Pictures holds no audio files."]);
});

test("a link that the browser does not copy is not said to be copied", async () => {
  const { page } = await visit();
  await choose(page, await taggedFile("link.mp3", "Linked"));
  const card = cardOf(page, "Linked");
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))");
  await card.getByRole("button", { name: /^Copy/ }).click();
  await card.getByText("Press Ctrl+C").waitFor();
  expect(await card.getByText("Copied").count()).toBe(0);
  // The next tests' pages would show what is not sent yet.
  await card.getByText("Ready", { exact: true }).waitFor();
});

test("what is saved while bytes go counts, and only what is saved makes a track public", async () => {
  const { page } = await visit();
  let open = () => {};
  const opened = new Promise<void>((go) => {
    open = go;
  });
  await page.route(/[?&]partNumber=/, (route) => opened.then(() => route.continue()));
  await choose(page, await taggedFile("loud.mp3", "Loud"), await taggedFile("quiet.mp3", "Quiet"));
  const loud = cardOf(page, "loud.mp3");
  await loud.getByLabel("Public when ready").check();
  await loud.getByLabel("Title").fill("Loud and clear");
  await loud.getByText("Tags, description, artwork").click();
  await loud.getByLabel("Tags").fill('rock "hip hop"');
  await loud.getByText("Not saved yet").waitFor();
  await loud.getByRole("button", { name: "Save" }).click();
  await loud.getByText("It goes public").waitFor();
  await cardOf(page, "quiet.mp3").getByLabel("Public when ready").check();
  open();
  await cardOf(page, "Loud and clear").getByText("Ready", { exact: true }).waitFor();
  await cardOf(page, "Quiet").getByText("Ready", { exact: true }).waitFor();
  expect(await tracksOf("Loud and clear")).toMatchObject([{ sharing: "public", tag_list: 'rock "hip hop"' }]);
  expect(await tracksOf("Quiet")).toMatchObject([{ sharing: "private" }]);
  const quiet = cardOf(page, "Quiet");
  await quiet.getByLabel("Title").fill("");
  await quiet.getByRole("button", { name: "Save" }).click();
  await quiet.getByText("Title must not be empty").waitFor();
  expect(await quiet.getByLabel("Title").getAttribute("aria-invalid")).toBe("true");
  await quiet.getByText("Not saved: a field above needs another look.").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("title");
  await quiet.getByLabel("Title").fill("Quiet no more");
  await quiet.getByRole("button", { name: "Save" }).click();
  await cardOf(page, "Quiet no more").getByText("Public: anyone can find and hear it.").waitFor();
  expect(await tracksOf("Quiet no more")).toMatchObject([{ sharing: "public" }]);
});

test("files of a wrong kind, empty and too large ones are refused before a byte goes", async () => {
  // Another person's, because a page shows what earlier ones have not sent.
  const { page } = await browser.visit(uploadUrl(), await signedIn(await createUser()));
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") asked.push(request.url());
  });
  const paths = [
    hollowFile("page.html", 9),
    hollowFile("nothing.mp3", 0),
    hollowFile("big.wav", 2 ** 32 + 1),
  ];
  await choose(page, ...paths);
  const refused = page.getByRole("alert");
  await refused.getByText("page.html is no audio file.").waitFor();
  await refused.getByText("nothing.mp3 is empty.").waitFor();
  await refused.getByText("big.wav is too large: a file may have 4 GB at most.").waitFor();
  expect(await page.locator(".upload").count()).toBe(0);
  expect(asked).toEqual([]);
});

test("a picture that is too large is refused beside its field before a byte goes, and another is taken", async () => {
  const { page } = await visit();
  await choose(page, await taggedFile("covered.mp3", "Covered"));
  const card = cardOf(page, "Covered");
  await card.getByText("Ready", { exact: true }).waitFor();
  await expect.poll(async () => (await tracksOf("Covered"))[0]?.artwork_url).toContain("/images/");
  const [before] = await tracksOf("Covered");
  await card.getByText("Tags, description, artwork").click();
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "PUT" && sent.push(request.url()));
  const choice = card.getByLabel("Artwork");
  await choice.setInputFiles(hollowFile("a.png", 30 * 2 ** 20));
  await card.getByText("Artwork may have 10 MB at most").waitFor();
  expect([await choice.inputValue(), sent]).toEqual(["", []]);
  await choice.setInputFiles({ name: "b.png", mimeType: "image/png", buffer: await createPng() });
  await card.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await tracksOf("Covered"))[0]?.artwork_url).not.toBe(before?.artwork_url);
  expect(await card.getByText("Artwork may have 10 MB at most").isVisible()).toBe(false);
});

test("a file that turns out to be no audio fails with the reason, and goes with its track when it is removed", async () => {
  const { page } = await visit();
  await choose(page, hollowFile("hollow.wav", 900));
  const card = cardOf(page, "hollow");
  await card.getByText("Encoding failed").waitFor();
  await card.getByText("The file is not AIFF").waitFor();
  // Only another file would help.
  expect(await card.getByRole("button", { name: "Try again" }).isVisible()).toBe(false);
  expect(await card.getByLabel("Link to share").isVisible()).toBe(false);
  await page.getByRole("status").filter({ hasText: "hollow.wav" }).waitFor();
  await page.route(/\/tracks\/\d+$/, (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await card.getByRole("button", { name: "Remove" }).click();
  await card.getByText("That did not work.").waitFor();
  expect(await tracksOf("hollow")).toHaveLength(1);
  await card.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => card.count()).toBe(0);
  expect(await tracksOf("hollow")).toEqual([]);
});

test("a track that is deleted elsewhere while it is encoded is said to be gone", async () => {
  const { page } = await visit();
  // The page looks only after the deletion: else it could see a short encode end. Its artwork comes last.
  const deletion = Promise.withResolvers<void>();
  const look = Promise.withResolvers<void>();
  await page.route(/\/tracks\/[^/]+$/, async (route) => {
    await (route.request().method() === "PUT" ? look : deletion).promise;
    await route.continue();
  });
  const made = page.waitForResponse((reply) => reply.url().endsWith("/tracks") && reply.status() === 201);
  await choose(page, await taggedFile("brief.mp3", "Brief"));
  const { id } = (await (await made).json()) as Track;
  expect((await api.as(ana).delete(`/tracks/${id}`)).status).toBe(200);
  deletion.resolve();
  const card = cardOf(page, "Brief");
  await card.getByText("The track was deleted.").waitFor();
  const artwork = page.waitForResponse(
    (reply) => reply.request().method() === "PUT" && reply.status() === 404,
  );
  look.resolve();
  await (await artwork).finished();
  await page.evaluate("new Promise((wake) => setTimeout(wake, 100))");
  expect(await card.getByText("The track was deleted.").isVisible()).toBe(true);
  expect(await card.getByRole("button", { name: "Try again" }).isVisible()).toBe(false);
});

test("files are chosen and saved by keyboard", async () => {
  // Has no other uploads, so the title that Tab reaches first is this file's.
  const ben = await createUser();
  const { page } = await browser.visit(uploadUrl(), await signedIn(ben));
  const choosing = page.waitForEvent("filechooser");
  await tabTo(page, "#upload-files");
  await page.keyboard.press("Enter");
  await (await choosing).setFiles(await taggedFile("keys.mp3", "By keyboard"));
  await cardOf(page, "By keyboard").getByText("Ready", { exact: true }).waitFor();
  await tabTo(page, ".upload [name=title]");
  await page.keyboard.type("Typed");
  await page.keyboard.press("Enter");
  await cardOf(page, "Typed").waitFor();
  expect(await tracksOf("Typed", ben)).toHaveLength(1);
});

test("a new track is among one's own after Back", async () => {
  const { page } = await browser.visit(`${stack.urls.api}/you/tracks`, await signedIn(ana));
  await page.getByRole("navigation").getByRole("link", { name: "Upload" }).click();
  await choose(page, await taggedFile("return.mp3", "Return"));
  await cardOf(page, "Return").getByText("Ready", { exact: true }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Your tracks" }).waitFor();
  await page.getByRole("link", { name: "Return", exact: true }).waitFor();
});

describe("the page", () => {
  test("leads visitors to sign in", async () => {
    const { page } = await browser.visit(uploadUrl());
    await page.getByLabel("E-mail address").waitFor();
  });

  test("says what it needs without script", async () => {
    const { page } = await visit({ javaScriptEnabled: false });
    expect(await page.locator("noscript").textContent()).toContain("Uploading needs JavaScript");
    expect(await page.locator("noscript .card").isVisible()).toBe(true);
    expect(await page.getByText("Drop your audio files here").isVisible()).toBe(false);
  });

  test("fits a phone", async () => {
    const { page } = await visit({ viewport: { width: 390, height: 844 } });
    await choose(page, await taggedFile("a-name-without-any-blanks-that-is-long.mp3", "x".repeat(200)));
    await page.getByText("Ready", { exact: true }).waitFor();
    expect(await overflow(page)).toBe(0);
  });

  test("loads the reader of tags when a file is chosen, not before", async () => {
    const { page } = await visit();
    await page.waitForLoadState("networkidle");
    const scripts = () =>
      page.evaluate<number>(
        "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length",
      );
    const before = await scripts();
    await choose(page, await taggedFile("late.mp3", "Late"));
    await cardOf(page, "Late").waitFor();
    expect(await scripts()).toBeGreaterThan(before);
  });
});
