import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createComment } from "../api/comments/comments.support.ts";
import { api } from "../support/api.ts";
import { createUser, createUserWithPassword, type Person } from "../support/people.ts";
import { casesOf } from "../support/repeats.ts";
import { siteCookieOf } from "../support/site-session.ts";
import { sql, stack } from "../support/stack.ts";
import { createRetryableTrack } from "../support/tracks.ts";
import { faultsOfAccess } from "./accessibility.ts";
import {
  launchBrowser,
  overflow,
  playsPast,
  position,
  slowDown,
  tabTo,
  type VisitOptions,
} from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { signInByForm, storageStateOf } from "./sign-in.ts";
import { signedIn } from "./upload.support.ts";

const browser = launchBrowser();
let ana: Person;
let fan: Person;
let anaState: VisitOptions;
let fanState: VisitOptions;
let set: string;
let track: { id: number; permalink: string };

beforeAll(async () => {
  [ana, fan] = await Promise.all([createUserWithPassword(), createUserWithPassword()]);
  const fields = {
    genre: "Ambient",
    tag_list: 'dawn "late night"',
    description: "<p>Recorded at <b>dawn</b>.</p>",
  };
  track = await finishedTrack(ana, { title: "Morning walk", downloadable: true, ...fields });
  await finishedTrack(ana, { title: "Evening walk", tag_list: "dawn" });
  await createRetryableTrack(ana, { title: "Lost walk", permalink: "lost-walk" });
  await createComment(fan, track, { body: "Lovely opening", timestamp: 1000 });
  await api.as(fan).put(`/me/followings/${ana.id}`);
  await api.as(await createUser()).put(`/me/followings/${ana.id}`);
  await sql("update users set description = 'I walk.', city = 'Lyon' where id = $1", [ana.id]);
  const playlist = { title: "Walks", tracks: [{ id: track.id }] };
  const made = await api.as(ana).post<{ permalink: string }>("/playlists", { json: { playlist } });
  set = `/${ana.username}/sets/${made.body.permalink}`;
  [anaState, fanState] = await Promise.all([entered(ana), entered(fan)]);
});

const at = (path: string) => stack.urls.api + path;
const trackPath = () => `/${ana.username}/${track.permalink}`;

/** Signs a person in at the accounts and at the site, once. */
async function entered(person: Person): Promise<VisitOptions> {
  const { page } = await browser.visit(at("/session/new?next=/terms"), await signedIn(person));
  await page.waitForURL(at("/terms"));
  return { storageState: await storageStateOf(page) };
}

const enter = (path: string, state = fanState) => browser.visit(at(path), state);

/** Its name ends with the count, unless that is zero. */
const actOf = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name: new RegExp(`^${name}(?: \\d+)?$`) });

test("the keyboard alone likes, follows, shares and comments", async () => {
  const { page, complaints } = await enter(trackPath());
  const press = async (selector: string) => {
    await page.evaluate("{ const one = document.querySelector('h1'); one.tabIndex = -1; one.focus(); }");
    await tabTo(page, selector);
    await page.keyboard.press("Enter");
  };
  await press('form[action*="/like-track/"] button');
  await page.getByRole("button", { name: "Liked 1", exact: true }).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Liked 1");
  await press('form[action*="/unfollow/"] button');
  await page.getByRole("button", { name: `Follow ${ana.username}` }).waitFor();
  await press(".share > summary");
  expect(await page.getByLabel("Link").inputValue()).toBe(at(trackPath()));
  await page.locator("#comment-body").focus();
  await page.keyboard.type("Birds!");
  await page.keyboard.press("Tab");
  await page.keyboard.type("soon");
  await page.keyboard.press("Enter");
  await page.getByText("At must be a time such as 1:23").first().waitFor();
  await page.locator("#comment-moment").fill("0:02");
  await page.keyboard.press("Enter");
  await page.locator(".comment", { hasText: "Birds!" }).getByRole("link", { name: "0:02" }).waitFor();
  expect(complaints.filter((one) => !one.includes("422"))).toEqual([]);
});

test("a comment and a shared address take the moment that plays, until another is typed", async () => {
  const { page, complaints } = await enter(`${trackPath()}?t=1`);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(() => page.locator("#comment-moment").inputValue()).toMatch(/^0:0[1-9]$/);
  await page.locator(".share > summary").click();
  await page.getByLabel("Start at").check();
  await expect.poll(() => page.getByLabel("Link").inputValue()).toMatch(/\?t=[1-9]$/);
  await page.locator("#comment-moment").fill("0:06");
  for (const act of ["Repost", "Reposted"]) await actOf(page, act).click();
  await actOf(page, "Repost").waitFor();
  await playsPast(page, (await position(page)) + 0.5);
  expect(await page.locator("#comment-moment").inputValue()).toBe("0:06");
  expect(complaints).toEqual([]);
});

test("a moment or an address with the focus stays as it is while the track plays on", async () => {
  const { page } = await enter(trackPath());
  const [moment, link] = [page.locator("#comment-moment"), page.getByLabel("Link")];
  const label = page.locator(".share-moment");
  /** Waits until another second is shown. */
  const playOn = async () => expect.poll(() => label.textContent()).not.toBe(await label.textContent());
  await page.locator(".share > summary").click();
  await page.getByLabel("Start at").check();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  // A busy machine may need more than its seven seconds.
  await page.evaluate("document.querySelector('audio').playbackRate = 0.5");
  await playOn();
  await link.focus();
  const address = await link.inputValue();
  await playOn();
  expect(await page.evaluate("getSelection().toString()")).toBe(address);
  await moment.selectText();
  expect(await link.inputValue()).not.toBe(address);
  await playOn();
  await page.keyboard.type("0:06");
  expect(await moment.inputValue()).toBe("0:06");
});

const PAGES: [name: string, path: () => string][] = [
  ["track", trackPath],
  ["failed track", () => `/${ana.username}/lost-walk`],
  ["set", () => set],
  ...["", "/sets", "/reposts", "/likes", "/followers", "/following"].map((tab): [string, () => string] => [
    `profile${tab}`,
    () => `/${ana.username}${tab}`,
  ]),
];

/** Owners' pages hold more. */
const READERS = casesOf(2, [
  ["the owner", 320, "light"],
  ["a visitor", 1440, "dark"],
  ["the owner", 1440, "dark"],
  ["a visitor", 320, "dark"],
] as const);

test.for(READERS)(
  "pages are accessible and fit for %s at %i px, %s",
  async ([reader, width, colorScheme]) => {
    const options = reader === "the owner" ? anaState : {};
    const viewport = { width, height: 900 };
    const { page, complaints } = await browser.visit(at("/terms"), { ...options, viewport, colorScheme });
    for (const [name, path] of PAGES) {
      // Others find nothing at a failed track's address.
      if (name === "failed track" && reader === "a visitor") continue;
      await page.goto(at(path()));
      const share = page.locator(".share > summary");
      if (await share.count()) await share.click();
      const found = [await overflow(page), await faultsOfAccess(page), complaints];
      expect([name, ...found]).toEqual([name, 0, [], []]);
      if (process.env.PICTURES)
        await page.screenshot({
          path: `${process.env.PICTURES}/${name.replace("/", "-")}-${width}-${reader.slice(-5)}.png`,
          fullPage: true,
        });
    }
  },
);

test("a like leaves the music where it is, and the words that were not sent", async () => {
  // Its first act leaves an address with a fragment, and its second one without.
  const { page } = await enter(`${trackPath()}?t=1#comments`, { ...fanState, prepare: slowDown });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 1.2);
  await page.locator("#comment-body").fill("Half a thought");
  const before = await page.evaluate("history.length");
  for (const [act, done] of [
    ["Repost", "Reposted"],
    ["Reposted", "Repost"],
  ] as const) {
    await actOf(page, act).click();
    await actOf(page, done).waitFor();
    expect(await page.locator("#comment-body").inputValue()).toBe("Half a thought");
  }
  expect(await position(page)).toBeGreaterThan(1.2);
  expect(await page.evaluate("history.length")).toBe(before);
});

test("the focus stays in the field that a comment was sent from, and goes to the one beside it when it is deleted", async () => {
  const { page } = await enter(trackPath());
  const focused = () => page.evaluate<string>("document.activeElement.textContent");
  for (const words of ["Written first", "Written last"]) {
    await page.locator("#comment-body").fill(words);
    await page.locator("#comment-moment").focus();
    await page.keyboard.press("Enter");
    await page.locator(".comment", { hasText: words }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("comment-body");
    expect(await page.locator("#page-said").textContent()).toContain("Your comment is there.");
  }
  const last = page.locator(".comment", { hasText: "Written last" });
  await last.getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await last.waitFor({ state: "detached" });
  await expect.poll(focused).toContain("Written first");
});

test("a form that cannot be sent says so until it is sent, and a link that leads nowhere ends no music", async () => {
  const { page } = await enter(trackPath());
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await playsPast(page, 0);
  const repost = page.getByRole("main").getByRole("button", { name: /^Repost/ });
  const before = await repost.textContent();
  // The music plays on from what has come.
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await repost.click();
  const message = page.getByRole("status").filter({ hasText: "The service could not be reached." });
  await message.waitFor();
  expect(await repost.textContent()).toBe(before);
  // It goes and comes back too fast to be seen gone.
  await page.evaluate("document.querySelector('.unsent').textContent = ''");
  await page.getByRole("link", { name: "Discover" }).click();
  await message.waitFor();
  await playsPast(page, await position(page));
  expect(page.url()).toBe(at(trackPath()));
  await page.context().setOffline(false);
  await repost.click();
  await message.waitFor({ state: "hidden" });
  await expect.poll(() => repost.textContent()).not.toBe(before);
});

test("a comment after signing out in another tab is not lost, and the sign-in leads back", async () => {
  const ben = await createUserWithPassword();
  const { page } = await enter(trackPath(), await entered(ben));
  await page.locator("#comment-body").fill("A whole thought");
  const tab = await page.context().newPage();
  await tab.goto(at("/terms"));
  await tab.locator(".menu summary").click();
  await tab.getByRole("button", { name: "Sign out" }).click();
  await tab.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
  await page.getByText("You have signed out in another tab.").waitFor();
  await page.locator("#comment-moment").fill("0:01");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.getByRole("heading", { name: "You are no longer signed in" }).waitFor();
  expect(await page.getByLabel("What you wrote").inputValue()).toBe("A whole thought");
  expect(await faultsOfAccess(page)).toEqual([]);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/signed-out.png` });
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await signInByForm(page, ben);
  await expect.poll(() => page.locator("#comment-body").inputValue()).toBe("A whole thought");
  expect(await page.locator("#comment-moment").inputValue()).toBe("0:01");
  expect(page.url()).toBe(at(trackPath()));
});

test("somebody else who signs in in another tab sends nothing of the first tab's, and does not see it", async () => {
  const { page } = await enter(trackPath());
  const field = page.locator("#comment-body");
  await field.fill("The first one's thought");
  const signInAs = async ({ id }: Person) => {
    const [name = "", value = ""] = (await siteCookieOf(id)).split("=");
    await page.context().addCookies([{ name, value, url: stack.urls.api }]);
    const tab = await page.context().newPage();
    await tab.goto(at("/session/new?next=/terms"));
    await tab.waitForURL(at("/terms"));
    await tab.close();
  };
  await signInAs(ana);
  await page.getByText("Somebody else is signed in in this browser now.").waitFor();
  expect(await field.inputValue()).toBe("The first one's thought");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.getByText("so nothing was changed").waitFor();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  // Its owner's, in a document of its own.
  await page.getByRole("link", { name: "Edit", exact: true }).waitFor();
  expect(await field.inputValue()).toBe("");
  expect(await page.locator("#player-bar").getAttribute("data-reader")).toBe(String(ana.id));
  await signInAs(fan);
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe("The first one's thought");
});

test("after Back the menu is closed, and the buttons of Share copy", async () => {
  const { page } = await enter(trackPath());
  await page.locator(".share > summary").click();
  await page.locator(".menu summary").click();
  await page.locator(".menu").getByRole("link", { name: "History" }).click();
  await page.getByRole("heading", { level: 1, name: "History" }).waitFor();
  await page.goBack();
  const copy = page.locator("share-panel button").first();
  await copy.click();
  await expect.poll(() => copy.textContent()).toMatch(/^(?:Copied|Press Ctrl\+C)$/);
  // Leads to another address, which is not copied yet.
  await page.getByLabel("Start at").check();
  expect(await copy.textContent()).toBe("Copy");
  expect(await page.locator(".menu[open]").count()).toBe(0);
});
