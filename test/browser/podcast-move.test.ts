import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feedOf, ownerOf, startFeedServer } from "../api/imports/feed-server.ts";
import { codeFor, newEmail } from "../api/imports/imports.support.ts";
import { requirePackage, succeeds } from "../support/debian.ts";
import { createUser } from "../support/people.ts";
import { makeSources } from "../support/sources.ts";
import { stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, looks, overflow } from "./browser.ts";
import { signedIn } from "./upload.support.ts";

/** A podcaster moves in from another server, and a podcast program goes on with the feed here. */

const run = promisify(execFile);
const browser = launchBrowser();
const server = await startFeedServer();
const directory = mkdtempSync(join(tmpdir(), "soundpost-moved-"));

const START = `${stack.urls.web}/you/podcasts/move`;

let audio: Buffer;

beforeAll(async () => {
  audio = readFileSync((await makeSources()).mp3.path);
  await requirePackage("podget", {
    purpose: "a podcast program",
    isInstalled: () => succeeds("sh", "-c", "command -v podget"),
  });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A feed of two episodes and one without sound. */
function serveFeed(title: string, email: string): string {
  const items = ["First", "Second"].map((name) => ({
    guid: `${title}-${name}`,
    title: name,
    url: server.serve(`/${title}-${name}.mp3`, { bytes: audio }),
  }));
  const channel = ownerOf(email);
  return server.serve(`/${title}.xml`, {
    bytes: feedOf(title, channel, [...items, { guid: "3", title: "Letter" }]),
  });
}

/** Presses the page's one button that copies. Returns what the clipboard has then. */
async function copied(page: Page): Promise<unknown> {
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
  return await page.evaluate("navigator.clipboard.readText()");
}

test("a podcast is moved in by its address and a code, and podget downloads it from here", async () => {
  const ana = await createUser();
  const email = newEmail();
  const feed = serveFeed("Night", email);
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, complaints } = await browser.visit(START, { ...(await signedIn(ana)), permissions });
  await page.getByLabel("Address of the feed").fill("https://nowhere.invalid/feed.xml");
  await page.getByRole("button", { name: "Read the feed" }).click();
  await page
    .locator(".problems", { hasText: "Address of the feed leads to a server that cannot be reached" })
    .waitFor();
  await page.getByLabel("Address of the feed").fill(feed);
  await page.getByRole("button", { name: "Read the feed" }).click();
  await page.getByRole("heading", { name: "Is it yours?" }).waitFor();
  expect(await page.locator(".moving-episodes li").allTextContents()).toEqual(
    expect.arrayContaining([expect.stringContaining("The feed names no audio file for it.")]),
  );
  expect(await copied(page)).toBe(await page.locator(".proof").textContent());
  await page.getByLabel("The code").fill("AAAA-AAAA-AAAA-AAAA");
  await page.getByRole("button", { name: "Move it here" }).click();
  await page.locator(".problems", { hasText: "is not the one that we mailed" }).waitFor();
  await page.getByRole("button", { name: "It is in the feed" }).click();
  const ofFeed = page.locator("form", { has: page.getByRole("button", { name: "It is in the feed" }) });
  await ofFeed.getByText(`The feed does not hold soundpost-verify-${ana.id} yet`).waitFor();
  expect(await page.getByText("is missing").count()).toBe(0);
  await page.getByLabel("The code").fill(await codeFor(email));
  await page.getByRole("button", { name: "Move it here" }).click();
  // The page keeps itself current.
  await page.getByRole("heading", { name: "Bring your subscribers along" }).waitFor();
  await page.getByText("2 of 2 episodes here.").waitFor();
  const address = await page.locator("li .proof").textContent();
  expect(await copied(page)).toBe(address);

  const own = join(directory, "podget");
  mkdirSync(join(own, "library"), { recursive: true });
  const podget = (...words: string[]) => run("podget", ["-d", own, "--dir_session", own, ...words]);
  await podget("--create-config", "podgetrc");
  writeFileSync(join(own, "serverlist"), `${address} Talk Night\n`);
  await podget("--library", join(own, "library"), "--no-playlist");
  expect(readdirSync(join(own, "library", "Talk", "Night"))).toHaveLength(2);

  expect(await page.locator(".moving-episodes").getByRole("link").allTextContents()).toEqual([
    "First",
    "Second",
  ]);
  await page.locator(".moving-episodes").getByRole("link", { name: "Second" }).click();
  await page.getByRole("heading", { level: 1, name: "Second" }).waitFor();
  expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
});

test("the pages of a move fit and are accessible, light and dark", async () => {
  const ana = await createUser();
  const { page } = await browser.visit(START, await signedIn(ana));
  await page.getByLabel("Address of the feed").fill(serveFeed("A-very-long-name-".repeat(9), newEmail()));
  await page.getByRole("button", { name: "Read the feed" }).click();
  await page.getByRole("heading", { name: "Is it yours?" }).waitFor();
  const moving = page.url();
  for (const [width, colorScheme] of looks(390, 1440))
    for (const url of [START, moving]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(url);
      expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
    }
});
