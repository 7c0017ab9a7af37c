import { expect, test } from "vitest";
import { createUserWithPassword } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { launchBrowser, overflow, tabTo } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { signInByKeyboard } from "./sign-in.ts";

const browser = launchBrowser();
const at = (path: string) => stack.urls.api + path;

test("a listener finds a track, signs in, likes it and finds it in the library, by keyboard alone", async () => {
  const [ana, fan] = [await createUserWithPassword(), await createUserWithPassword()];
  const word = `w${crypto.randomUUID().slice(0, 8)}`;
  await finishedTrack(ana, { title: `Tide ${word}`, sharing: "public" });
  const { page, complaints } = await browser.visit(at("/"));
  await tabTo(page, "#search");
  await page.keyboard.type(word);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: `Results for “${word}”` }).waitFor();
  await tabTo(page, "[aria-label^='Like: Tide']");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/signin?**");
  await signInByKeyboard(page, fan);
  await page.getByRole("heading", { name: `Results for “${word}”` }).waitFor();
  await tabTo(page, "[aria-label^='Like: Tide']");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `Liked: Tide ${word}`, pressed: true }).waitFor();
  await page.goto(at("/you/library"));
  await page.getByRole("link", { name: `Tide ${word}`, exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test("filters open by keyboard, and a wrong one is said to the reader", async () => {
  const { page } = await browser.visit(at("/search?q=rain"));
  await tabTo(page, ".filters summary");
  await page.keyboard.press("Enter");
  await tabTo(page, "#filter-bpm_from");
  await page.keyboard.type("fast");
  await page.keyboard.press("Enter");
  await page.getByText("BPM from must be a number").waitFor();
  expect(await page.locator("#filter-bpm_from").getAttribute("aria-describedby")).toBe(
    "filter-bpm_from-problem",
  );
});

test.for(["/", "/discover", "/search?q=a", "/search?type=sets", "/tags/rain"])(
  "%s fits a phone",
  async (path) => {
    const { page, complaints } = await browser.visit(at(path), { viewport: { width: 320, height: 640 } });
    expect(await overflow(page)).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(complaints).toEqual([]);
  },
);
