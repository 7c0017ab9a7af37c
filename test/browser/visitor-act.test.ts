import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { PASSWORD, uniqueName } from "../support/browser.ts";
import { createUser, createUserWithPassword, type Person } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, playsPast, type VisitOptions } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { byKeyboard } from "./hands.ts";
import { signInByForm } from "./sign-in.ts";
import { startSiteHosts } from "./site-hosts.ts";

const browser = launchBrowser();
let site: Awaited<ReturnType<typeof startSiteHosts>>;
let artist: Person;
let track: Track;
let path: string;

beforeAll(async () => {
  [site, artist] = await Promise.all([startSiteHosts(), createUser()]);
  track = await finishedTrack(artist, { title: "Harbour", permalink: "harbour" });
  path = new URL(track.permalink_url).pathname;
});
afterAll(() => site?.stop());

const open = (at = path, options: VisitOptions = {}) => browser.visit(`${site.web}${at}`, options);

const main = (page: Page) => page.getByRole("main");
const dialog = (page: Page) => page.getByRole("dialog");
const like = (page: Page) => main(page).locator(`[data-wants="like-track/${track.id}"]`).first();
const liked = (page: Page) =>
  main(page).locator(`[data-act="like-track/${track.id}"] [aria-pressed="true"]`).first();

const likesOf = ({ id }: Person) =>
  sql("select from favorites where user_id = $1 and track_id = $2", [id, track.id]);

const playTrack = async (page: Page) => {
  await main(page).getByRole("button", { name: /^Play/ }).first().click();
  await playsPast(page, 0);
  await page.evaluate(`{
    window.heard = document.querySelector("audio");
    window.pauses = 0;
    heard.addEventListener("pause", () => window.pauses++);
  }`);
};

const heardOn = (page: Page) =>
  page.evaluate<[boolean, number]>("[heard === document.querySelector('audio'), pauses]");

test("a visitor's Like is done once they have signed in, at the place where they were", async () => {
  const fan = await createUserWithPassword();
  const { page, complaints } = await open(path, { viewport: { width: 390, height: 500 } });
  await like(page).scrollIntoViewIfNeeded();
  await page.evaluate("scrollBy(0, 40)");
  const scrolled = await page.evaluate<number>("scrollY");
  await like(page).click();
  await dialog(page).getByRole("heading", { name: "Like" }).waitFor();
  expect(await faultsOfAccess(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await dialog(page).getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL(`${site.auth}/signin?**`);
  await signInByForm(page, fan);
  await liked(page).waitFor();
  expect(page.url()).toBe(`${site.web}${path}`);
  expect(await page.evaluate<number>("scrollY")).toBeGreaterThan(scrolled - 60);
  expect(await likesOf(fan)).toHaveLength(1);
  // Neither loading the page again nor Back does it a second time.
  await liked(page).click();
  await like(page)
    .or(main(page).locator(`[data-act="like-track/${track.id}"] [aria-pressed="false"]`).first())
    .waitFor();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Harbour" }).waitFor();
  expect(await likesOf(fan)).toHaveLength(0);
  expect(complaints).toEqual([]);
});

test("while music plays, a visitor becomes a member in a window of its own, and the music plays on", async () => {
  const { page, complaints } = await open();
  await playTrack(page);
  await like(page).click();
  const opening = page.waitForEvent("popup");
  await dialog(page).getByRole("link", { name: "Sign up" }).click();
  const popup = await opening;
  const username = `fan${uniqueName()}`;
  await popup.getByLabel("Username").fill(username);
  await popup.getByLabel("E-mail address").fill(`${username}@example.com`);
  await popup.getByLabel("Password").fill(PASSWORD);
  const closing = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Create account" }).click();
  await closing;
  await liked(page).waitFor();
  await page.locator("main .done").getByText("Your account is ready").waitFor();
  expect(await heardOn(page)).toEqual([true, 0]);
  // The page is theirs now: so is the next one, and the music plays on.
  await page.getByRole("link", { name: "Discover" }).first().click();
  await page.getByText("You", { exact: true }).first().waitFor();
  expect(await heardOn(page)).toEqual([true, 0]);
  expect(complaints).toEqual([]);
});

test("where no window opens, the page signs in itself, and its music is there again", async () => {
  const fan = await createUserWithPassword();
  const { page } = await open(path, { prepare: (page) => page.addInitScript("window.open = () => null") });
  await playTrack(page);
  await like(page).click();
  await dialog(page).getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL(`${site.auth}/signin?**`);
  await signInByForm(page, fan);
  await liked(page).waitFor();
  expect(page.url()).toBe(`${site.web}${path}`);
  await page.getByRole("region", { name: "Player" }).getByText("Harbour").first().waitFor();
  expect(await likesOf(fan)).toHaveLength(1);
});

test("by keyboard: a visitor follows the artist", async () => {
  const fan = await createUserWithPassword();
  const { page } = await open(`/${artist.username}`);
  const { press, write } = byKeyboard;
  await press(main(page).locator(`[data-wants="follow/${artist.id}"]`).first());
  await press(dialog(page).getByRole("link", { name: "Sign in" }));
  await write(page.getByLabel("E-mail address"), `${fan.username}@example.com`);
  await write(page.getByLabel("Password", { exact: true }), PASSWORD);
  await page.keyboard.press("Enter");
  await main(page).locator(`[data-act="follow/${artist.id}"] [aria-pressed="true"]`).first().waitFor();
  expect(
    await sql("select from followings where user_id = $1 and followee_id = $2", [fan.id, artist.id]),
  ).toHaveLength(1);
});

test("a visitor's comment is kept and sent once they have signed in", async () => {
  const fan = await createUserWithPassword();
  const { page, complaints } = await open();
  await page.getByLabel("Your comment").fill("Lovely <b>drums</b>\nאיזה יופי");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await dialog(page).getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL(`${site.auth}/signin?**`);
  await signInByForm(page, fan);
  await page.locator(".comment").getByText("Lovely <b>drums</b>").waitFor();
  await page.reload();
  await page.locator(".comment").getByText("Lovely <b>drums</b>").waitFor();
  expect(await sql("select from comments where user_id = $1", [fan.id])).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test("a comment that is refused after the sign-in comes back with its words", async () => {
  const fan = await createUserWithPassword();
  const { page } = await open();
  await page.getByLabel("Your comment").fill("Listen to the end");
  await page.getByLabel("At", { exact: true }).fill("soon");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await dialog(page).getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL(`${site.auth}/signin?**`);
  await signInByForm(page, fan);
  await page.getByText("One thing needs another look").waitFor();
  expect(await page.getByLabel("Your comment").inputValue()).toBe("Listen to the end");
});

test("Escape closes the dialog and leaves the focus where it was", async () => {
  const { page } = await open();
  await like(page).focus();
  await page.keyboard.press("Enter");
  await dialog(page).waitFor();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "hidden" });
  expect(await page.evaluate("document.activeElement.dataset.wants")).toBe(`like-track/${track.id}`);
});

test("a visitor who came back without signing in has changed their mind", async () => {
  const fan = await createUserWithPassword();
  const { page } = await open();
  await like(page).click();
  await dialog(page).getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL(`${site.auth}/signin?**`);
  await page.goBack();
  await like(page).waitFor();
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await page.waitForURL(`${site.auth}/signin?**`);
  await signInByForm(page, fan);
  await page.getByText("You", { exact: true }).first().waitFor();
  expect(await likesOf(fan)).toHaveLength(0);
});

test.each([
  ["of another page", { page: "/discover" }],
  ["older than an hour", { atMs: 0 }],
])("a press %s is not repeated", async (_, changed) => {
  const fan = await createUserWithPassword();
  const { page } = await open();
  await like(page).click();
  await dialog(page).getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL(`${site.auth}/signin?**`);
  await page.context().addInitScript(`{
    const stored = sessionStorage.getItem("visitor-act");
    if (stored) sessionStorage.setItem("visitor-act", JSON.stringify({ ...JSON.parse(stored), ...${JSON.stringify(changed)} }));
  }`);
  await signInByForm(page, fan);
  await page.getByText("You", { exact: true }).first().waitFor();
  await page.reload();
  await page.getByText("You", { exact: true }).first().waitFor();
  expect(await likesOf(fan)).toHaveLength(0);
});

test("no address of another site makes somebody who signs in like a track", async () => {
  const fan = await createUserWithPassword();
  for (const forged of [
    `/session/new?next=${encodeURIComponent(`/you/acts/like-track/${track.id}`)}`,
    `/session/new?next=${encodeURIComponent(path)}&act=like-track/${track.id}`,
    `/session/new?next=${encodeURIComponent(`${path}?wants=like-track/${track.id}#like-track/${track.id}`)}`,
  ]) {
    const { page } = await open(forged);
    await signInByForm(page, fan);
    await page.getByText("You", { exact: true }).first().waitFor();
  }
  expect(await likesOf(fan)).toHaveLength(0);
});
