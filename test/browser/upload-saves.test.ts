import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import type { Upload } from "../../functions/api/uploads/representation.ts";
import { api } from "../support/api.ts";
import { createPng } from "../support/images.ts";
import { createUser, type Person } from "../support/people.ts";
import { siteCookieOf } from "../support/site-session.ts";
import { sql } from "../support/stack.ts";
import { launchBrowser } from "./browser.ts";
import { cardOf, choose, hollowFile, signedIn, taggedFile, uploadUrl } from "./upload.support.ts";

const browser = launchBrowser();
let ana: Person;

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
});

const trackOf = async (title: string) =>
  (await api.as(ana).get<Track[]>("/me/tracks?limit=50")).body.find((track) => track.title === title);

/** Stops the next write of a track, and resolves once it has come. */
async function stopWrite(page: Page, method: string, path: RegExp) {
  const [came, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isStopped = false;
  await page.route(path, async (route) => {
    const isJson = route.request().headers()["content-type"] === "application/json";
    if (isStopped || !isJson || route.request().method() !== method) return route.fallback();
    isStopped = true;
    came.resolve();
    await go.promise;
    await route.continue();
  });
  return { came: came.promise, go: go.resolve };
}

async function visitWith(title: string) {
  const { page } = await browser.visit(uploadUrl(), await signedIn(ana));
  const file = await taggedFile(`${title.toLowerCase()}.mp3`, title);
  return { page, card: cardOf(page, new RegExp(`^${title}`, "i")), file };
}

test("a title that is selected when its file's tags arrive is typed over", async () => {
  const { page, card, file } = await visitWith("Replaced");
  const go = Promise.withResolvers<void>();
  // The reader of tags is the one script that the page loads later.
  await page.route("**/*.js", (route) => go.promise.then(() => route.continue()));
  await choose(page, file);
  await card.getByLabel("Title").selectText();
  go.resolve();
  await expect.poll(() => card.getByLabel("Artist", { exact: true }).inputValue()).toBe("The Taggers");
  await page.keyboard.type("Typed");
  expect(await card.getByLabel("Title").inputValue()).toBe("Typed");
});

test("a press of Save is answered though nothing was typed, and a chosen cover is said to be saved or not", async () => {
  const { page, card, file } = await visitWith("Untouched");
  await choose(page, file);
  await card.getByText("Ready", { exact: true }).waitFor();
  const said = card.locator("[data-part=saved]");
  expect(await said.isVisible()).toBe(false);
  const save = card.getByRole("button", { name: "Save" });
  await save.click();
  await said.getByText("Saved.", { exact: true }).waitFor();

  await card.getByText("Tags, description, artwork").click();
  const cover = { name: "cover.png", mimeType: "image/png", buffer: Buffer.from(await createPng(500, 500)) };
  await card.getByLabel("Artwork").setInputFiles(cover);
  await said.getByText("Not saved yet.", { exact: true }).waitFor();
  await save.click();
  await said.getByText("Saved.", { exact: true }).waitFor();
});

test("what is typed while a save is under way is not said to be saved, and another save stores it", async () => {
  const { page, card, file } = await visitWith("Hasty");
  await choose(page, file);
  await card.getByText("Ready", { exact: true }).waitFor();
  const gate = await stopWrite(page, "PUT", /\/tracks\/[^/]+$/);
  await card.getByLabel("Artist", { exact: true }).fill("Saved artist");
  await card.getByRole("button", { name: "Save" }).click();
  await gate.came;
  await card.getByLabel("Genre").fill("Typed later");
  const saved = page.waitForResponse((reply) => reply.request().method() === "PUT");
  gate.go();
  await (await saved).finished();
  await expect.poll(async () => (await trackOf("Hasty"))?.metadata_artist).toBe("Saved artist");
  await page.evaluate("new Promise((wake) => setTimeout(wake, 200))");
  expect(await card.getByText("Not saved yet.").isVisible()).toBe(true);
  expect((await trackOf("Hasty"))?.genre).toBe("Folk");
  await card.getByRole("button", { name: "Save" }).click();
  await card.getByText("Saved.", { exact: true }).waitFor();
  expect((await trackOf("Hasty"))?.genre).toBe("Typed later");
});

test("what is saved while the track is made is stored", async () => {
  const { page, card, file } = await visitWith("Early");
  const gate = await stopWrite(page, "POST", /\/tracks$/);
  await choose(page, file);
  await gate.came;
  await card.getByLabel("Genre").fill("Saved meanwhile");
  await card.getByLabel("Public when ready").check();
  await card.getByRole("button", { name: "Save" }).click();
  await card.getByText("It goes public once it is uploaded").waitFor();
  gate.go();
  await card.getByText("Saved.", { exact: true }).waitFor();
  await expect.poll(() => trackOf("Early")).toMatchObject({ genre: "Saved meanwhile", sharing: "public" });
});

test("what is typed while the track is made is not said to be saved", async () => {
  const { page, card, file } = await visitWith("Unsaid");
  const gate = await stopWrite(page, "POST", /\/tracks$/);
  await choose(page, file);
  await gate.came;
  await card.getByLabel("Genre").fill("Never sent");
  gate.go();
  await card.getByText("Ready", { exact: true }).waitFor();
  expect(await card.getByText("Not saved yet.").isVisible()).toBe(true);
  expect((await trackOf("Unsaid"))?.genre).toBe("Folk");
});

test("what is typed after a call without an answer reaches the track that it made", async () => {
  const { page, card, file } = await visitWith("Unheard");
  await page.route(
    /\/tracks$/,
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 500, json: { errors: [{ error_message: "Nobody knows" }] } });
    },
    { times: 1 },
  );
  await choose(page, file);
  await card.getByText("Nobody knows").waitFor();
  await card.getByLabel("Genre").fill("Typed since");
  await card.getByRole("button", { name: "Save" }).click();
  await card.getByRole("button", { name: "Try again" }).click();
  await card.getByText("Saved.", { exact: true }).waitFor();
  await expect.poll(() => trackOf("Unheard")).toMatchObject({ genre: "Typed since" });
});

/** Signs in in another tab of the page's browser. */
async function signInBeside(page: Page, { id }: Person) {
  const [name = "", value = ""] = (await siteCookieOf(id)).split("=");
  await page.context().addCookies([{ name, value, url: uploadUrl() }]);
  const tab = await page.context().newPage();
  await tab.goto(new URL("/session/new?next=/terms", uploadUrl()).href);
  await tab.getByRole("heading", { level: 1 }).waitFor();
  await tab.close();
}

const uploadsOf = async (person: Person) =>
  (await api.as(person).get<Upload[]>("/uploads")).body.map(({ filename }) => filename);

test("a file is never sent as somebody else who has signed in in another tab, and goes on as its own reader", async () => {
  const { page } = await browser.visit(uploadUrl(), await signedIn(ana));
  const ben = await createUser({ plan: "artist" });
  await signInBeside(page, ben);
  await choose(page, hollowFile("mine.wav", 1000));
  const card = cardOf(page, "mine.wav");
  await card.getByText("Somebody else is signed in in this browser now.").waitFor();
  expect([await uploadsOf(ana), await uploadsOf(ben)]).toEqual([
    expect.not.arrayContaining(["mine.wav"]),
    [],
  ]);
  await signInBeside(page, ana);
  await card.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => uploadsOf(ana)).toContain("mine.wav");
  expect(await uploadsOf(ben)).toEqual([]);
});

test("a visitor's tab uploads for whoever has signed in in another tab", async () => {
  const { page } = await browser.visit(new URL("/terms", uploadUrl()).href);
  await signInBeside(page, ana);
  await page.getByRole("link", { name: "Discover" }).click();
  await page.getByRole("link", { name: "Upload", exact: true }).click();
  await choose(page, hollowFile("late.wav", 1000));
  await expect.poll(() => uploadsOf(ana)).toContain("late.wav");
});

test("a session that was ended elsewhere is told in people's words, and everything goes on after the next sign-in", async () => {
  const ben = await createUser({ plan: "artist" });
  const { page } = await browser.visit(uploadUrl(), await signedIn(ben));
  const look = Promise.withResolvers<void>();
  await page.route(/\/tracks\/\d+$/, (route) => look.promise.then(() => route.continue()));
  const made = page.waitForResponse((reply) => reply.url().endsWith("/tracks") && reply.status() === 201);
  await choose(page, hollowFile("begun.wav", 1000));
  await made;
  await sql("update sessions set revoked_at = now() where user_id = $1", [ben.id]);
  look.resolve();
  await choose(page, hollowFile("next.wav", 1000));
  const next = cardOf(page, "next.wav");
  await next.getByText("You are signed out. Sign in again in another tab").waitFor();
  const begun = cardOf(page, "begun");
  await begun.getByText("The encoding goes on. Sign in as before in another tab").waitFor();

  await signInBeside(page, ben);
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await begun.getByText("Encoding failed").waitFor();
  await next.getByRole("button", { name: "Try again" }).click();
  await cardOf(page, "next").getByText("Encoding failed").waitFor();
});
