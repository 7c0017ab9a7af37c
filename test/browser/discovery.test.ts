import { expect, test } from "vitest";
import { createUserWithPassword } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { launchBrowser, overflow, tabTo } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { signInByKeyboard } from "./sign-in.ts";

const browser = launchBrowser();
/** Tracks that other tests made without files have no covers. */
const ours = (complaints: string[]) => complaints.filter((each) => !each.includes("status of 404"));

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
  await page.getByRole("dialog").getByRole("link", { name: "Sign in" }).press("Enter");
  await page.waitForURL("**/signin?**");
  await signInByKeyboard(page, fan);
  await page.getByRole("heading", { name: `Results for “${word}”` }).waitFor();
  await page.getByRole("button", { name: `Liked: Tide ${word}`, pressed: true }).waitFor();
  await page.goto(at("/you/library"));
  await page.getByRole("link", { name: `Tide ${word}`, exact: true }).waitFor();
  expect(ours(complaints)).toEqual([]);
});

test("suggestions come while a name is typed, and lead to its page by keyboard", async () => {
  const ana = await createUserWithPassword();
  const word = `w${crypto.randomUUID().slice(0, 8)}`;
  for (const title of [`${word} ليل`, `Second ${word}`])
    await finishedTrack(ana, { title, sharing: "public" });
  await finishedTrack(ana, { title: `${word} secret`, sharing: "private" });
  const { page, complaints } = await browser.visit(at("/"));
  const field = page.getByRole("combobox", { name: "Search" });
  const expanded = () => field.getAttribute("aria-expanded");
  await tabTo(page, "#search");
  await page.keyboard.type(word);
  const first = page.getByRole("option", { name: `${word} ليل` });
  await first.waitFor();
  expect([await page.getByRole("option").count(), await expanded()]).toEqual([2, "true"]);
  await page.keyboard.press("ArrowDown");
  expect(await first.getAttribute("aria-selected")).toBe("true");
  expect(await field.getAttribute("aria-activedescendant")).toBe(await first.getAttribute("id"));
  // The list goes, the text stays.
  await page.keyboard.press("Escape");
  expect([await expanded(), await field.inputValue()]).toEqual(["false", word]);
  await page.keyboard.type("x");
  await page.keyboard.press("Backspace");
  await first.waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: `Second ${word}` }).waitFor();
  expect(ours(complaints)).toEqual([]);
});

test("Enter searches while suggestions are on their way, and a misspelt name is found", async () => {
  const ana = await createUserWithPassword();
  const word = `w${crypto.randomUUID().slice(0, 8)}`;
  await finishedTrack(ana, { title: `Lantern ${word}`, sharing: "public" });
  const { page, complaints } = await browser.visit(at("/search"), { viewport: { width: 390, height: 844 } });
  await page.route("**/search/suggestions?*", () => {});
  const typed = `lantrn ${word.slice(0, 4)}${word.slice(5)}`;
  await page.locator("#search").pressSequentially(typed);
  await page.keyboard.press("Enter");
  await page.getByText(`Nothing for “${typed}”. Showing results for “lantern ${word}”.`).waitFor();
  await page.getByRole("link", { name: `Lantern ${word}`, exact: true }).waitFor();
  await page.getByRole("link", { name: `Search for exactly “${typed}”` }).click();
  await page.getByText(`No tracks, people or sets match “${typed}”`).waitFor();
  expect(ours(complaints)).toEqual([]);
});

test("filters open by keyboard, and a wrong one is said to the reader", async () => {
  const { page } = await browser.visit(at("/search?q=rain&type=tracks"));
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
    expect(ours(complaints)).toEqual([]);
  },
);
