import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { Browser, signIn } from "../support/browser.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { casesOf } from "../support/repeats.ts";
import { sql, stack } from "../support/stack.ts";
import { createTrack } from "../support/tracks.ts";
import { launchBrowser, paused, playsPast, position } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { bar, barButton, createSet, playIn, titleInBar } from "./player.ts";
import { emailOf } from "./sign-in.ts";
import { signedIn } from "./upload.support.ts";

const browser = launchBrowser();
let ana: Person;
let track: Track;

beforeAll(async () => {
  ana = await createUserWithPassword();
  track = await finishedTrack(ana, { title: "Reached" });
});

const pagePlay = (page: Page) =>
  page.getByRole("region", { name: "Waveform" }).getByRole("button", { name: "Play" });
const slider = (page: Page) => page.getByRole("slider", { name: "Position" });

test("shortcuts play, seek and skip, but leave fields, buttons and other keys alone", async () => {
  const { set } = await createSet(ana, ["First", "Second"]);
  const { page } = await browser.visit(set.permalink_url, { viewport: { width: 1440, height: 900 } });
  await playIn(page, "First").click();
  await playsPast(page, 0);

  await page.locator("#search").fill("");
  await page.locator("#search").pressSequentially("k m 5 l");
  await page.keyboard.press("ArrowRight");
  expect(await page.locator("#search").inputValue()).toBe("k m 5 l");
  await barButton(page, "Mute").focus();
  await page.keyboard.press("k");
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Alt+5");
  expect([await paused(page), await titleInBar(page)]).toEqual([false, "First"]);
  expect(await barButton(page, "Repeat: off").count()).toBe(1);

  await page.keyboard.press("Space");
  await expect.poll(() => paused(page)).toBe(true);
  await page.keyboard.press("0");
  await expect.poll(() => position(page)).toBe(0);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => position(page)).toBe(5);
  await page.keyboard.press("m");
  expect(await barButton(page, "Mute").getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("l");
  expect(await barButton(page, "Repeat: all").count()).toBe(1);
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => titleInBar(page)).toBe("Second");
});

test("a key that is held switches once, and an arrow that is held goes on", async () => {
  const { set } = await createSet(ana, ["Held", "Next"]);
  const { page } = await browser.visit(set.permalink_url, { viewport: { width: 1440, height: 900 } });
  await playIn(page, "Held").click();
  await playsPast(page, 0);
  await page.evaluate("document.activeElement.blur()");
  const hold = async (key: string) => {
    for (const _ of [1, 2]) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };
  await hold("Space");
  await expect.poll(() => paused(page)).toBe(true);
  await hold("l");
  expect(await barButton(page, "Repeat: all").count()).toBe(1);
  await page.keyboard.press("9");
  await expect.poll(() => position(page)).toBeGreaterThan(6);
  await hold("ArrowLeft");
  await expect.poll(() => position(page)).toBe(0);
  expect(await titleInBar(page)).toBe("Held");
});

test("the keys can be switched off, for later pages too", async () => {
  const { page } = await browser.visit(track.permalink_url);
  await pagePlay(page).click();
  await playsPast(page, 0);
  const choice = page.getByLabel("Control the player by keys everywhere");
  await barButton(page, "Player settings").click();
  await choice.uncheck();
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("k");
  expect(await paused(page)).toBe(false);
  await page.reload();
  await pagePlay(page).click();
  await playsPast(page, 0);
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("k");
  expect(await paused(page)).toBe(false);
  await barButton(page, "Player settings").click();
  await choice.check();
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("k");
  await expect.poll(() => paused(page)).toBe(true);
});

test("a tab that plays pauses the others, until they are played again", async () => {
  const viewport = { width: 1440, height: 900 };
  const { page: first } = await browser.visit(track.permalink_url, { viewport });
  const second = await first.context().newPage();
  await second.goto(track.permalink_url);
  for (const page of [first, second]) {
    await pagePlay(page).click();
    await playsPast(page, 0);
    // The end is no pause.
    await barButton(page, "Repeat: off").click();
  }
  await expect.poll(() => paused(first)).toBe(true);
  await barButton(first, "Play").click();
  await expect.poll(() => paused(second)).toBe(true);
  expect(await paused(first)).toBe(false);
});

test("arrows move the bar's seek slider by as much as they move the waveform", async () => {
  const { page } = await browser.visit(track.permalink_url);
  await pagePlay(page).click();
  await playsPast(page, 0);
  await page.keyboard.press("Space");
  await expect.poll(() => paused(page)).toBe(true);
  await bar(page).getByRole("slider", { name: "Seek" }).focus();
  await page.keyboard.press("Home");
  for (const [key, at] of [
    ["ArrowRight", 5],
    ["ArrowLeft", 0],
    ["ArrowUp", 5],
    ["ArrowDown", 0],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => position(page)).toBe(at);
  }
});

test("the button of the track that plays still pauses it when a list of own tracks has been refreshed", async () => {
  await createTrack(ana, { title: "Being encoded", state: "processing" });
  const { page } = await browser.visit(`${stack.urls.api}/you/tracks`, await signedIn(ana));
  await playIn(page, "Reached").click();
  await playsPast(page, 0);
  await page.evaluate("document.querySelector('own-list').id = 'first-look'");
  // Rows are left alone while one of them has the focus.
  await page.evaluate("document.activeElement.blur()");
  await page.locator("#first-look").waitFor({ state: "detached" });
  await page.getByRole("main").getByRole("button", { name: "Pause Reached", exact: true }).click();
  await expect.poll(() => paused(page)).toBe(true);
});

test("lock screens and headsets see the track, its place and its picture, and lead through it", async () => {
  const { set } = await createSet(ana, ["Seen", "Heard"]);
  const { page } = await browser.visit(set.permalink_url, {
    prepare: (page) =>
      page.addInitScript(`
        window.actions = {};
        MediaSession.prototype.setActionHandler = (name, action) => { window.actions[name] = action; };
        MediaSession.prototype.setPositionState = (state) => { window.place = state; };
      `),
  });
  await playIn(page, "Seen").click();
  await playsPast(page, 0);
  expect(await page.evaluate("Object.keys(actions).sort().join(' ')")).toBe(
    "nexttrack pause play previoustrack seekbackward seekforward seekto stop",
  );
  const shown = () =>
    page.evaluate(`(({ title, artist, artwork }) => [title, artist, artwork.map(({ sizes }) => sizes)])
      (navigator.mediaSession.metadata)`);
  expect(await shown()).toEqual(["Seen", ana.username, ["300x300", "500x500"]]);
  expect(await page.evaluate("place.duration")).toBeCloseTo(track.duration / 1000, 1);
  await page.evaluate("actions.seekto({ seekTime: 3 })");
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(3);
  await expect.poll(() => page.evaluate("place.position")).toBeGreaterThanOrEqual(3);
  await page.evaluate("actions.pause()");
  await expect.poll(() => page.evaluate("navigator.mediaSession.playbackState")).toBe("paused");
  await page.evaluate("actions.nexttrack()");
  await expect.poll(shown).toEqual(["Heard", ana.username, ["300x300", "500x500"]]);
});

test.for(casesOf(2, ["0:04", "4s", "4", "0m4s"]))("?t=%s begins there", async (moment) => {
  const { page } = await browser.visit(`${track.permalink_url}?t=${moment}`);
  await expect.poll(() => slider(page).getAttribute("aria-valuenow")).toBe("4");
  await pagePlay(page).click();
  await playsPast(page, 4.1);
});

test("comments stand at their moments on the waveform, and are read when they are reached", async () => {
  const { body } = await api.as(ana).get<Track>(`/tracks/${(await finishedTrack(ana)).id}`);
  const comment = { body: "Here it <b>begins</b>", timestamp: Math.round(body.duration / 2) };
  await api.as(ana).post(`/tracks/${body.id}/comments`, { json: { comment } });
  const { page } = await browser.visit(body.permalink_url);
  const shown = page.locator(".moments .moment");
  expect(await shown.getAttribute("title")).toBe(`${ana.username}: Here it begins`);
  const [box, dot] = [await slider(page).boundingBox(), await shown.boundingBox()];
  const middle = (dot?.x ?? 0) + (dot?.width ?? 0) / 2;
  expect((middle - (box?.x ?? 0)) / (box?.width ?? 1)).toBeCloseTo(0.5, 2);
  await pagePlay(page).click();
  await playsPast(page, 0);
  expect(await page.locator(".said").isVisible()).toBe(false);
  await page.keyboard.press("5");
  await expect.poll(() => page.locator(".said").textContent()).toBe(`${ana.username}: Here it begins`);
});

test("holders of a set's secret play its private tracks from the list", async () => {
  const { set } = await createSet(ana, ["Hidden"], { sharing: "private" });
  const { page, complaints } = await browser.visit(`${set.permalink_url}/${set.secret_token}`);
  await playIn(page, "Hidden").click();
  await playsPast(page, 0.2);
  expect(complaints).toEqual([]);
});

test("when the session has ended, own private tracks are gone from the player, and the page says so", async () => {
  const owner = await createUserWithPassword();
  const own = await finishedTrack(owner, { title: "Mine", sharing: "private" });
  const session = new Browser();
  await signIn(session, emailOf(owner));
  await session.enterSite();
  const { page } = await browser.visit(stack.urls.api, {
    storageState: {
      cookies: Array.from(session.cookies, ([name, value]) => ({
        name,
        value,
        domain: "localhost",
        path: "/",
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: "Lax" as const,
      })),
      origins: [],
    },
  });
  await page.goto(own.permalink_url);
  await pagePlay(page).click();
  await playsPast(page, 0);
  await page.goto(stack.urls.api);
  await barButton(page, "Play").waitFor();
  await sql("update sessions set revoked_at = now() where user_id = $1", [owner.id]);
  await barButton(page, "Play").click();
  await bar(page).getByText("This track is no longer there").waitFor();
  await page.reload();
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
  expect(await bar(page).isVisible()).toBe(false);
});
