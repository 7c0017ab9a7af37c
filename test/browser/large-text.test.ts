import { beforeAll, expect, test } from "vitest";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { launchBrowser, overflow, playsPast } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { bar, barButton } from "./player.ts";
import { signInByForm, storageStateOf } from "./sign-in.ts";

/** Text of twice the usual size, by a setting of the browser. */
const browser = launchBrowser("--blink-settings=defaultFontSize=32");
const at = (path: string) => stack.urls.api + path;
const PHONE = { viewport: { width: 390, height: 844 } };

let ana: Person;
let track: string;

beforeAll(async () => {
  ana = await createUserWithPassword();
  track = new URL((await finishedTrack(ana, { title: "Morning walk" })).permalink_url).pathname;
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
  await barButton(page, "Queue and settings").click();
  expect(await overflow(page)).toBe(0);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/large-text-open.png` });
  for (const name of ["Forward 15 seconds", "Next track", "Previous track", "Queue and settings"])
    await barButton(page, name).click({ trial: true });
});
