import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { faultsOfAccess } from "./accessibility.ts";
import {
  launchBrowser,
  overflow,
  paused,
  playsPast,
  position,
  seekTo,
  styleOf,
  type VisitOptions,
} from "./browser.ts";
import { bar, barButton, createSet, openFull, playIn, queued, titleInBar } from "./player.ts";
import { signInByForm } from "./sign-in.ts";

const browser = launchBrowser();
let ana: Person;
let set: Playlist;
let tracks: Track[];

beforeAll(async () => {
  ana = await createUserWithPassword();
  ({ set, tracks } = await createSet(ana, ["One", "Two", "Three"]));
});

/** Wide enough for all controls. */
const WIDE = { viewport: { width: 1440, height: 900 } };

async function playing(title: string, options: VisitOptions = WIDE) {
  const visit = await browser.visit(set.permalink_url, options);
  await playIn(visit.page, title).click();
  await playsPast(visit.page, 0);
  return visit;
}

const becomes = (page: Page, title: string) => expect.poll(() => titleInBar(page)).toBe(title);

test("the bar appears with the first track, and plays on through a link and Back", async () => {
  const visit = await browser.visit(set.permalink_url);
  const { page, complaints } = visit;
  expect(await bar(page).isVisible()).toBe(false);
  await playIn(page, "One").click();
  await playsPast(page, 0);
  await page.evaluate(`{
    window.heard = document.querySelector("audio");
    window.pauses = 0;
    heard.addEventListener("pause", () => window.pauses++);
  }`);
  await bar(page).getByRole("link", { name: "One" }).click();
  await page.getByRole("heading", { level: 1, name: "One" }).waitFor();
  await playsPast(page, 1);
  await page.goBack();
  await page.getByRole("main").getByRole("button", { name: "Pause One" }).waitFor();
  await playsPast(page, 2);
  expect(await page.evaluate("[heard === document.querySelector('audio'), pauses]")).toEqual([true, 0]);
  expect(complaints).toEqual([]);
});

test("a list plays in turn; next and previous lead through it", async () => {
  const { page, complaints } = await playing("One");
  await seekTo(page, 6.9);
  await becomes(page, "Two");
  await playsPast(page, 0);
  await barButton(page, "Next track").click();
  await becomes(page, "Three");
  await playsPast(page, 0);
  await barButton(page, "Previous track").click();
  await becomes(page, "Two");
  await playsPast(page, 0);
  expect(await page.locator("audio").count()).toBe(1);
  expect(complaints).toEqual([]);
});

test("the queue shows what comes, plays any of it and lets go of others", async () => {
  const { page } = await playing("One");
  await barButton(page, "Queue").click();
  const rows = () => bar(page).getByRole("listitem").locator(".queue-title").allTextContents();
  await expect.poll(rows).toEqual(["One", "Two", "Three"]);
  await barButton(page, "Remove Two from the queue").click();
  expect(await rows()).toEqual(["One", "Three"]);
  await bar(page)
    .getByRole("button", { name: /^Three/ })
    .click();
  await becomes(page, "Three");
  await playsPast(page, 0);
  expect(await bar(page).locator("[aria-current]").textContent()).toContain("Three");
  await page.keyboard.press("Escape");
  expect(await bar(page).getByRole("heading", { name: "Queue" }).isVisible()).toBe(false);
});

test("the queue's button leads into the queue, and Escape back", async () => {
  const { page } = await playing("One");
  await barButton(page, "Queue").focus();
  await page.keyboard.press("Enter");
  await bar(page).locator(".queue-title").first().waitFor();
  await page.keyboard.press("Tab");
  expect(await bar(page).locator(".queue-play:focus").textContent()).toContain("One");
  await page.keyboard.press("Escape");
  expect(await barButton(page, "Queue").and(page.locator(":focus")).count()).toBe(1);
});

test("after the last track the player stops, repeats the list or repeats the track", async () => {
  const { page } = await playing("Three");
  await seekTo(page, 6.9);
  await expect.poll(() => paused(page)).toBe(true);
  expect(await titleInBar(page)).toBe("Three");
  await barButton(page, "Repeat: off").click();
  await barButton(page, "Play").click();
  await playsPast(page, 0.1);
  await seekTo(page, 6.9);
  await becomes(page, "One");
  await barButton(page, "Repeat: all").click();
  await playsPast(page, 0.1);
  await seekTo(page, 6.9);
  await expect.poll(() => position(page)).toBeLessThan(3);
  await playsPast(page, 0.1);
  expect(await titleInBar(page)).toBe("One");
  expect(await barButton(page, "Repeat: this track").count()).toBe(1);
});

test("shuffle keeps the current track and every other one, and gives the order back", async () => {
  const { page } = await playing("Two");
  const rows = () => queued(page);
  await barButton(page, "Shuffle").click();
  const shuffled = await rows();
  expect(shuffled[0]).toBe("Two");
  expect(shuffled.toSorted()).toEqual(["One", "Three", "Two"]);
  await barButton(page, "Shuffle").click();
  expect(await rows()).toEqual(["One", "Two", "Three"]);
});

test("a full reload brings the queue back, paused at its place and as muted as before", async () => {
  const { page, complaints } = await playing("Two");
  await barButton(page, "Player settings").click();
  await bar(page).getByLabel("Speed").selectOption("1.5");
  await seekTo(page, 3);
  await playsPast(page, 3.2);
  await barButton(page, "Mute").click();
  await page.reload();
  expect([await titleInBar(page), await paused(page)]).toEqual(["Two", true]);
  expect(await bar(page).getByLabel("Speed").inputValue()).toBe("1.5");
  expect(await barButton(page, "Mute").getAttribute("aria-pressed")).toBe("true");
  expect(await page.evaluate("document.querySelector('audio').muted")).toBe(true);
  await barButton(page, "Play").click();
  await playsPast(page, 3.2);
  expect(await page.evaluate("document.querySelector('audio').playbackRate")).toBe(1.5);
  await barButton(page, "Next track").click();
  await becomes(page, "Three");
  expect(complaints).toEqual([]);
});

/** Safari's rule, but without the seconds that it allows after a press. */
const withPressesOnly = (page: Page) =>
  page.addInitScript(`
    const { load, play } = HTMLMediaElement.prototype;
    const pressed = new WeakSet();
    const note = (audio) => window.event?.isTrusted && window.event.type === "click" && pressed.add(audio);
    Object.assign(HTMLMediaElement.prototype, {
      load() {
        note(this);
        return load.call(this);
      },
      async play() {
        note(this);
        if (!pressed.has(this)) throw new DOMException("without a press", "NotAllowedError");
        return play.call(this);
      },
    });
  `);

test("one press after a reload plays in browsers that forget it before the addresses are there", async () => {
  const { page } = await playing("Two", { ...WIDE, prepare: withPressesOnly });
  await page.reload();
  await barButton(page, "Play").click();
  await playsPast(page, 0.5);
});

test("signing in keeps the queue, and signing out takes it away, also on a phone held sideways", async () => {
  const { page } = await playing("Two");
  const opening = page.waitForEvent("popup");
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
  const popup = await opening;
  const closing = popup.waitForEvent("close");
  await signInByForm(popup, ana);
  await closing;
  await page.locator(".menu summary").waitFor();
  await becomes(page, "Two");
  expect(await paused(page)).toBe(false);
  // A phone held sideways is lower than the menu, whose last entry the bar must not cover.
  await page.setViewportSize({ width: 844, height: 390 });
  await page.getByRole("banner").locator("summary").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
  expect(await bar(page).isVisible()).toBe(false);
  // It may name private tracks.
  expect(await page.evaluate("sessionStorage.getItem('player')")).toBeNull();
});

test("the bar fits a phone, and opens the full player for the rest of its controls", async () => {
  const { page } = await playing("One", { viewport: { width: 390, height: 700 } });
  expect(await overflow(page)).toBe(0);
  expect(await faultsOfAccess(page)).toEqual([]);
  expect(await barButton(page, "Shuffle").isVisible()).toBe(false);
  const full = await openFull(page);
  expect(await overflow(page)).toBe(0);
  expect(await faultsOfAccess(page)).toEqual([]);
  for (const name of ["Back 15 seconds", "Forward 15 seconds", "Previous track", "Shuffle", "Repeat: off"])
    expect(await full.getByRole("button", { name }).isVisible(), name).toBe(true);
  await full.getByRole("button", { name: "Player settings" }).click();
  expect(await bar(page).getByLabel("Speed").isVisible()).toBe(true);
  // The track has no chapters.
  expect(await page.locator(".present-chapter:visible").count()).toBe(0);
});

test("on paper a dark page is dark on white, and neither the bar nor any button covers it", async () => {
  const { page } = await playing("One", { ...WIDE, colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  expect(await bar(page).isVisible()).toBe(false);
  expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
  expect(await page.getByRole("heading", { level: 1, name: set.title }).isVisible()).toBe(true);
  expect([await styleOf(page, "h1", "color"), await styleOf(page, "body", "background-color")]).toEqual([
    "rgb(26, 25, 23)",
    "rgba(0, 0, 0, 0)",
  ]);
});

test("a muted player shows a crossed-out speaker, also where a system forces its colours", async () => {
  const { page } = await playing("One", { ...WIDE, forcedColors: "active" });
  const mute = barButton(page, "Mute");
  expect(await mute.locator(".icon-speaker").isVisible()).toBe(true);
  expect(await mute.locator(".icon-muted").isVisible()).toBe(false);
  await mute.click();
  await mute.locator(".icon-muted").waitFor();
  expect(await mute.locator(".icon-speaker").isVisible()).toBe(false);
});

test("a track that the pointer meets is loaded in advance, which is no play", async () => {
  const { page } = await browser.visit(set.permalink_url);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await playIn(page, "One").hover();
  await expect.poll(() => asked.filter((url) => url.includes("/0.m4s")).length).toBeGreaterThan(0);
  expect(asked.filter((url) => url.endsWith("/0.m4s"))).toEqual([]);
  const reported = page.waitForRequest((request) => request.url().endsWith("/0.m4s"));
  await playIn(page, "One").click();
  await playsPast(page, 0);
  expect(new URL((await reported).url()).search).toBe("");
  expect(asked.filter((url) => url.includes(`/you/sources/${tracks[0]?.id}`))).toHaveLength(1);
});

test("the bar stays when a page is not there, because the music plays on", async () => {
  const { page } = await playing("One");
  await page.evaluate(`{
    const link = document.createElement("a");
    Object.assign(link, { href: "/nobody/here", textContent: "A page that is gone" });
    document.querySelector("main").append(link);
  }`);
  await page.getByRole("link", { name: "A page that is gone" }).click();
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  await barButton(page, "Pause").click();
  expect(await paused(page)).toBe(true);
});
