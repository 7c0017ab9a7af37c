import { beforeAll, expect, test } from "vitest";
import { api } from "../support/api.ts";
import { createUser, createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { launchBrowser, overflow, playsPast } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { bar, barButton, createSet, openFull, playIn } from "./player.ts";
import { signInByForm, storageStateOf } from "./sign-in.ts";

/** Text of twice the usual size, by a setting of the browser. */
const browser = launchBrowser("--blink-settings=defaultFontSize=32");
const at = (path: string) => stack.urls.api + path;
const PHONE = { viewport: { width: 390, height: 844 } };
const SMALL_PHONE = { viewport: { width: 320, height: 568 } };
const pathOf = ({ permalink_url }: { permalink_url: string }) => new URL(permalink_url).pathname;

let ana: Person;
let track: string;
let set: string;
let commented: string;

beforeAll(async () => {
  ana = await createUserWithPassword();
  track = pathOf(await finishedTrack(ana, { title: "Morning walk" }));
  const made = await createSet(ana, ["An evening by the harbour", "The night after"]);
  set = pathOf(made.set);
  const [listed] = made.tracks;
  const comment = { body: "Such a harbour", timestamp: 900 };
  await api.as(await createUser()).post(`/tracks/${listed?.id}/comments`, { json: { comment } });
  commented = pathOf(listed ?? made.set);
});

const fits = async (paths: string[], options = {}) => {
  const { page } = await browser.visit(at("/terms"), { ...PHONE, ...options });
  for (const path of paths) {
    await page.goto(at(path));
    expect([path, await overflow(page)]).toEqual([path, 0]);
  }
};

test("pages for visitors fit a phone with large text", () =>
  fits(["/", "/discover", "/search?q=walk", track, "/docs", "/docs/reference/tracks", "/signin"]));

test("pages for visitors fit the smallest phone with large text", () =>
  fits(["/", "/search?q=walk", commented, set, `/${ana.username}`, "/signup"], SMALL_PHONE));

test("no heading, time or button is broken letter by letter on the smallest phone with large text", async () => {
  const { page } = await browser.visit(at(commented), SMALL_PHONE);
  for (const selector of [".record-head h1", ".artist", ".comment-text"])
    expect((await page.locator(selector).first().boundingBox())?.width).toBeGreaterThan(200);
  for (const selector of [".elapsed", ".total", ".comment-acts .act"])
    expect((await page.locator(selector).first().boundingBox())?.height).toBeLessThan(75);
});

test("all of the open queue is reached on the smallest phone with large text", async () => {
  const { page } = await browser.visit(at(set), SMALL_PHONE);
  await playIn(page, "The night after").click();
  await playsPast(page, 0.2);
  const full = await openFull(page);
  await full.getByRole("button", { name: "Queue" }).click();
  await bar(page).getByText("Played", { exact: true }).click();
  const removes = barButton(page, "Remove An evening by the harbour from the queue");
  await removes.scrollIntoViewIfNeeded();
  expect((await removes.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await removes.click();
  expect(await removes.count()).toBe(0);
});

test("an embedded player of the usual height shows the title above the waveform with large text", async () => {
  const url = `/player/?${new URLSearchParams({ url: at(track) })}`;
  const { page } = await browser.visit(at(url), { viewport: { width: 320, height: 166 } });
  const [title, seek] = [
    await page.locator("h1 a").boundingBox(),
    await page.getByRole("slider", { name: "Position" }).boundingBox(),
  ];
  expect(title?.width).toBeGreaterThan(80);
  expect((title?.y ?? 0) + (title?.height ?? 0)).toBeLessThanOrEqual(seek?.y ?? 0);
  expect((seek?.y ?? 0) + (seek?.height ?? 0)).toBeLessThanOrEqual(166);
});

test("pages of somebody signed in fit a phone with large text", async () => {
  const { page } = await browser.visit(at("/session/new?next=/terms"), PHONE);
  await signInByForm(page, ana);
  await page.waitForURL(at("/terms"));
  await fits(["/", track, `${track}/edit`, "/upload", "/settings"], {
    storageState: await storageStateOf(page),
  });
});

test("the player's bar has room for the title, and for its buttons, on a phone with large text", async () => {
  const { page } = await browser.visit(at(track), PHONE);
  await page.getByRole("main").getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.2);
  expect((await bar(page).locator(".deck-title").boundingBox())?.width).toBeGreaterThan(150);
  expect((await bar(page).boundingBox())?.height).toBeLessThan(300);
  await barButton(page, "Pause").click();
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/large-text.png` });
  const full = await openFull(page);
  expect(await overflow(page)).toBe(0);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/large-text-open.png` });
  for (const name of ["Forward 15 seconds", "Next track", "Previous track", "Queue", "Player settings"])
    await full.getByRole("button", { name }).click({ trial: true });
});
