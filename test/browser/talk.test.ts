import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createComment } from "../api/comments/comments.support.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, playsPast, position, tabTo, type VisitOptions } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { storageStateOf } from "./sign-in.ts";
import { signedIn } from "./upload.support.ts";

const browser = launchBrowser();
let ana: Person;
let fan: Person;
let ben: Person;
let fanState: VisitOptions;
let track: { id: number; permalink: string };

const RIGHT_TO_LEFT = "أغنية الصباح في المدينة القديمة";

beforeAll(async () => {
  [ana, fan, ben] = await Promise.all([
    createUserWithPassword(),
    createUserWithPassword(),
    createUserWithPassword(),
  ]);
  track = await finishedTrack(ana, { title: RIGHT_TO_LEFT, permalink: "talk" });
  const { page } = await browser.visit(at("/session/new?next=/terms"), await signedIn(fan));
  await page.waitForURL(at("/terms"));
  fanState = { storageState: await storageStateOf(page) };
});

const at = (path: string) => stack.urls.api + path;
const trackPath = () => `/${ana.username}/${track.permalink}`;
const enter = (path = trackPath(), more: VisitOptions = {}) =>
  browser.visit(at(path), { ...fanState, ...more });

const picture = (name: string) =>
  process.env.PICTURES ? { path: `${process.env.PICTURES}/talk-${name}.png` } : undefined;

/** A fresh thread: a timed comment by one person, and a reply by another. */
async function createThread(words: string, timestamp: number) {
  const first = await createComment(ana, track, { body: words, timestamp });
  await createComment(ben, track, { body: `${words}, too, at 0:02`, parent_id: first.id });
  return first;
}

const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.ariaLabel ?? document.activeElement.id");

test("avatars stand at the moments of comments, and open by press and by key", async () => {
  const first = await createThread("The strings come in late", 1_000);
  await createThread("Lovely bass", 3_500);
  for (let at = 0; at < 3; at++)
    await createComment(fan, track, { body: `Crowd ${at}`, timestamp: 5_500 + at });
  const { page, complaints } = await enter();
  const avatars = page.getByRole("toolbar", { name: "Comments on the waveform" }).getByRole("button");
  // Replies have none, and those of one moment share one.
  await expect.poll(() => avatars.count()).toBe(3);
  const card = page.getByRole("dialog", { name: `${ana.username} at 0:01` });
  await avatars.first().click();
  await card.getByText("The strings come in late").waitFor();
  expect(await faultsOfAccess(page)).toEqual([]);
  await page.locator("h1").click();
  await card.waitFor({ state: "hidden" });

  await tabTo(page, ".moment");
  expect(await focused(page)).toBe(`${ana.username} at 0:01`);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await focused(page)).toBe("3 comments from 0:05");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await card.waitFor();
  expect(await focused(page)).toBe(`${ana.username} at 0:01`);
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "hidden" });
  expect(await page.evaluate("document.activeElement.className")).toBe("moment");
  // One stop of the tabulator leads past all of them.
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("comment-body");

  await avatars.first().click();
  await card.getByRole("link", { name: "Show" }).click();
  await expect.poll(() => page.url()).toContain(`#comment-${first.id}`);
  await avatars.first().click();
  await card.getByRole("link", { name: "0:01" }).click();
  await playsPast(page, 1);
  expect(complaints).toEqual([]);
});

test("a reply is written in place while the music plays, by pointer and by keys", async () => {
  const first = await createThread("What is this chord?", 2_000);
  const { page, complaints } = await enter();
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await page.evaluate("document.querySelector('audio').playbackRate = 0.5");
  await playsPast(page, 0);
  const thread = page.locator(`#comment-${first.id}`);
  await thread.getByRole("link", { name: `Reply to ${ana.username}` }).click();
  const field = page.locator("#reply-body");
  await expect.poll(() => focused(page)).toBe("reply-body");
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  expect(await focused(page)).toBe(`Reply to ${ana.username}`);

  // To a reply: it begins with the name.
  await thread.getByRole("link", { name: `Reply to ${ben.username}` }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe(`@${ben.username} `);
  await page.keyboard.type("A minor ninth");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("at 0:03");
  // An act beside it shows the page anew.
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Repost/ })
    .click();
  await expect.poll(() => page.getByRole("main").getByRole("button", { name: "Reposted" }).count()).toBe(1);
  expect(await field.inputValue()).toBe(`@${ben.username} A minor ninth\nat 0:03`);
  await field.focus();
  const before = await page.evaluate<number>("scrollY");
  await page.keyboard.press("Enter");
  const reply = thread.locator(".replies > li", { hasText: "A minor ninth" });
  await reply.waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("A minor ninth");
  expect(Math.abs((await page.evaluate<number>("scrollY")) - before)).toBeLessThan(200);
  expect(await page.locator("#reply").count()).toBe(0);
  await reply.getByRole("link", { name: "0:03" }).waitFor();
  await playsPast(page, await position(page));
  expect(await sql("select 1 from comments where parent_id = $1", [first.id])).toHaveLength(2);
  expect(complaints).toEqual([]);
});

test("a comment is written at the moment that plays, and stays where it was", async () => {
  const { page } = await enter();
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await page.evaluate("document.querySelector('audio').playbackRate = 0.5");
  const field = page.getByLabel("Your comment");
  await expect.poll(() => field.getAttribute("placeholder")).toMatch(/^Write a comment at 0:0[1-9]$/);
  await field.click();
  await page.locator(".own-moment").waitFor();
  await page.keyboard.type("Right here");
  const before = await page.evaluate<number>("scrollY");
  await page.keyboard.press("Enter");
  await page.locator(".comment", { hasText: "Right here" }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
  expect(await page.evaluate("scrollY")).toBe(before);
  expect(await focused(page)).toBe("comment-body");
  await playsPast(page, await position(page));
});

test("a page with threads fits and is accessible, on a phone and a large screen, in light and dark", async () => {
  await createThread("صوت جميل جدا", 4_000);
  await createThread(`A ${"very".repeat(60)} long word`, 6_000);
  const gone = await createThread("Gone soon", 500);
  await sql("delete from comments where id = $1", [gone.id]);
  const LOOKS = [
    [320, "light"],
    [390, "dark"],
    [1440, "light"],
    [1440, "dark"],
  ] as const;
  for (const [width, colorScheme] of LOOKS) {
    const viewport = { width, height: 900 };
    const { page, complaints } = await enter(trackPath(), { viewport, colorScheme, hasTouch: width < 500 });
    await page.locator(".moment").first().click();
    await page.locator(".moment-card").waitFor();
    const seen: unknown[] = [await overflow(page), await faultsOfAccess(page)];
    await page.screenshot({ ...picture(`card-${width}-${colorScheme}`), fullPage: true });
    await page.keyboard.press("Escape");
    await page.locator("a[data-reply]").first().click();
    await page.locator("#reply-body").fill("Words");
    seen.push(await overflow(page), await faultsOfAccess(page));
    await page.screenshot({ ...picture(`reply-${width}-${colorScheme}`) });
    await page.locator("#comment-body").fill("Words");
    await page.locator("#comment-moment").fill("0:04");
    await page.screenshot({ ...picture(`write-${width}-${colorScheme}`) });
    expect([width, ...seen, complaints]).toEqual([width, 0, [], 0, [], []]);
  }
});
