import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startFeedServer } from "../api/imports/feed-server.ts";
import { PASSWORD } from "../support/browser.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow } from "./browser.ts";
import { openAsOperator } from "./operator.support.ts";
import {
  fill,
  fillOperation,
  fillRemovals,
  fillStatus,
  fillTokens,
  JAPANESE,
  LONG,
} from "./pictures.support.ts";
import { fillReleases, moveShows } from "./pictures-releases.support.ts";
import { bar, openFull } from "./player.ts";
import { signInByForm, storageStateOf } from "./sign-in.ts";
import { cardOf, choose, taggedFile } from "./upload.support.ts";

/**
 * Takes a picture of every page in four looks, into the folder that `PICTURES` names, for people to look at.
 * `LOOKS` may name some of them, such as "390-dark".
 */

const browser = launchBrowser();
const server = await startFeedServer();
const folder = process.env.PICTURES ?? "";

const LOOKS = [390, 1440]
  .flatMap((width) => (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })))
  .filter(({ width, colorScheme }) =>
    (process.env.LOOKS ?? `${width}-${colorScheme}`).includes(`${width}-${colorScheme}`),
  );

test.runIf(folder)(
  "every page has its picture; none is wider than its window, and all are for everybody",
  async () => {
    mkdirSync(folder, { recursive: true });
    const [ana, ben] = [await createUserWithPassword({ plan: "artist" }), await createUserWithPassword()];
    const newcomer = await createUserWithPassword();
    const { track, set, plain, hook } = await fill(ana, ben);
    const released = await fillReleases(ana, ben, track, plain);
    const moves = await moveShows(ana, server);
    await fillOperation(ana, ben, track);
    const removed = await fillRemovals(ana, ben, track);
    await Promise.all([fillStatus(), fillTokens(ana)]);
    const me = `/${ana.username}`;
    const pathOf = (of?: { permalink_url: string }) => new URL(of?.permalink_url ?? "").pathname;
    const [trackPath, setPath, plainPath] = [pathOf(track), pathOf(set), pathOf(plain)];
    const player = (url: string) => `/player/?${new URLSearchParams({ url })}`;
    const both: Record<string, string> = {
      home: "/",
      discover: "/discover",
      search: "/search?q=harbour",
      "search-none": "/search?q=xyzzyqwert",
      tag: "/tags/harbour",
      profile: me,
      sets: `${me}/sets`,
      reposts: `${me}/reposts`,
      likes: `${me}/likes`,
      followers: `${me}/followers`,
      following: `${me}/following`,
      "other-profile": `/${ben.username}`,
      "other-sets": `/${ben.username}/sets`,
      track: `${trackPath}`,
      set: plainPath,
      show: setPath,
      credited: `/${ben.username}`,
      nothing: "/nobody/here",
      waits: `${me}/waits`,
      terms: "/terms",
      privacy: "/privacy",
      report: "/report?url=x",
      "player-track": player(track.permalink_url),
      "player-set": player(set?.permalink_url ?? ""),
      docs: "/docs",
      reference: "/docs/reference/tracks",
      "docs-search": "/docs/search?q=upload",
      status: "/status",
      longest: `${me}/longest`,
      "reset-old": "/reset?token=x",
      "confirm-old": "/confirm?token=x",
      "cancel-old": "/cancel-change?token=x",
      "player-visual": `${player(track.permalink_url)}&visual=true`,
    };
    const visitors = { signin: "/signin", signup: "/signup", forgot: "/forgot", sent: "/forgot/sent" };
    const empty = {
      "empty-home": "/",
      "empty-tracks": "/you/tracks",
      "empty-sets": "/you/sets",
      "empty-library": "/you/library",
      "empty-notifications": "/you/notifications",
      "empty-apps": "/you/apps",
      "empty-webhooks": "/you/webhooks",
      "empty-settings": "/settings",
      "empty-tokens": "/settings/tokens",
      "empty-insights": "/you/insights",
      "empty-credits": "/you/credits",
      "empty-move": "/you/podcasts/move",
      "empty-selected": "/you/tracks/selected",
      "empty-removals": "/you/removals",
      "empty-profile": `/${newcomer.username}`,
    };
    const own = {
      "you-tracks": "/you/tracks",
      "you-sets": "/you/sets",
      "new-set": "/you/sets/new",
      library: "/you/library",
      history: "/you/history",
      notifications: "/you/notifications",
      "news-mails": "/you/notifications/mails",
      links: "/you/links",
      connections: "/you/connections",
      webhooks: "/you/webhooks",
      apps: "/you/apps",
      webhook: `/you/webhooks/${hook}`,
      settings: "/settings",
      tokens: "/settings/tokens",
      broken: `${me}/broken`,
      "edit-track": `${trackPath}/edit`,
      "edit-set": `${setPath}/edit`,
      diary: `${me}/diary`,
      podcast: `${setPath}/podcast`,
      episode: `${trackPath}/episode`,
      "add-to-set": `/you/sets/add?track=${track.id}`,
      delete: `/you/tracks/${track.id}/delete`,
      "delete-set": `/you/sets/${plain?.id}/delete`,
      selected: `/you/tracks/selected?track=${track.id}&track=${released.mastered}`,
      "selected-delete": `/you/tracks/selected/delete?all=${track.id},${released.mastered}`,
      "selected-set": `/you/tracks/selected/set?all=${track.id},${released.mastered}`,
      picker: `${plainPath}/edit?find=harbour&from=all`,
      address: `/you/address?track=${track.id}`,
      "address-profile": "/you/address",
      replace: `/you/replace?track=${track.id}`,
      "take-place": `/you/take-place?track=${released.mastered}`,
      "upload-replaces": `/upload?replaces=${track.id}`,
      insights: "/you/insights",
      "insights-likes": "/you/insights?range=all&show=likes",
      "insights-track": `/you/insights/tracks/${track.id}`,
      "insights-set": `/you/insights/sets/${set?.id}`,
      credits: "/you/credits",
      "scheduled-track": `${me}/tomorrow`,
      "scheduled-set": `${me}/sets/tomorrow`,
      move: "/you/podcasts/move",
      "move-preview": `/you/podcasts/move/${moves.preview}`,
      "move-done": `/you/podcasts/move/${moves.movedIn}`,
      removals: "/you/removals",
      "removal-answered": `/you/removals/${removed.removal}`,
      removal: `/you/removals/${removed.unanswered}`,
      "removed-set": pathOf(removed.set),
    };
    const operation = {
      admin: "/admin",
      "admin-reports": "/admin/reports",
      "admin-users": "/admin/users",
      "admin-user": `/admin/users/${ana.id}`,
      "admin-user-delete": `/admin/users/${ben.id}/delete`,
      "admin-quotas": "/admin/quotas",
      "admin-tracks": "/admin/tracks",
      "admin-apps": "/admin/apps",
      "admin-track": `/admin/tracks/${track.id}`,
      "admin-jobs": "/admin/jobs",
      "admin-log": "/admin/log",
      "admin-queue": "/admin/jobs?state=queued",
      "admin-letters": "/admin/dead-letters",
      "admin-deliveries": "/admin/deliveries",
      "admin-mails": "/admin/mails",
      "admin-recent": "/admin/recent",
      "admin-incidents": "/admin/incidents",
      "admin-invitations": "/admin/invitations",
      "admin-overdue": "/admin/overdue",
      "admin-removals": "/admin/removals",
      "admin-removal": `/admin/removals/${removed.removal}`,
      "admin-comment": `/admin/comments/${removed.comment}`,
      "admin-set": `/admin/sets/${plain?.id}`,
    };
    const [storageState, newcomerState] = [await signedIn(ana), await signedIn(newcomer)];
    const faults: string[] = [];
    for (const { width, colorScheme } of LOOKS) {
      const options = { viewport: { width, height: 900 }, colorScheme };
      const look = async (who: string, pages: Record<string, string>, state = {}) => {
        const { page } = await browser.visit(`${stack.urls.api}/terms`, { ...options, ...state });
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(stack.urls.api + path, { waitUntil: "load" });
          const title = `${name}-${who}-${width}-${colorScheme}`;
          if (name === "webhook") await page.locator(".delivery summary").first().click();
          if (await take(page, title)) faults.push(`${title} is too wide`);
          for (const fault of await faultsOfAccess(page)) faults.push(`${title}: ${fault}`);
        }
        return page;
      };
      const visitor = await look("visitor", { ...both, ...visitors });
      await playAndTake(visitor, `${setPath}`, `playing-visitor-${width}-${colorScheme}`);
      const owner = await look("owner", { ...both, ...own }, { storageState });
      await takeApps(owner, `owner-${width}-${colorScheme}`);
      await takeToken(owner, `owner-${width}-${colorScheme}`);
      const onPage = (page: Page, name: string) => take(page, `${name}-operator-${width}-${colorScheme}`);
      const { page: operator } = await openAsOperator(browser, options, onPage);
      await look("operator", operation, { storageState: await storageStateOf(operator) });
      await look("newcomer", empty, { storageState: newcomerState });
      await owner.goto(`${stack.urls.api}/upload`);
      await take(owner, `upload-empty-owner-${width}-${colorScheme}`);
      await choose(owner, await taggedFile(`${LONG}.mp3`, LONG), await taggedFile("b.mp3", JAPANESE));
      await cardOf(owner, LONG).getByText("Ready", { exact: true }).waitFor();
      await take(owner, `upload-owner-${width}-${colorScheme}`);
      await owner.locator(".menu summary").click();
      await take(owner, `menu-owner-${width}-${colorScheme}`);
    }
    expect(faults).toEqual([]);
  },
  900_000,
);

async function signedIn(person: Person) {
  const { page } = await browser.visit(`${stack.urls.api}/session/new?next=/you/tracks`);
  await signInByForm(page, person);
  await page.getByRole("heading", { name: "Your tracks" }).waitFor();
  return await storageStateOf(page);
}

/** Returns by how many pixels the page is too wide. */
async function take(page: Page, name: string): Promise<number> {
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true, timeout: 90_000 });
  return await overflow(page);
}

/** Registers an app. Takes its secret, the list, and what others see of it. */
async function takeApps(page: Page, look: string): Promise<void> {
  await page.goto(`${stack.urls.api}/you/apps`);
  const form = page.locator('form[action="/you/apps"]');
  await form.getByLabel("Name").fill("Harbour radio");
  await form.getByLabel("Web site").fill("https://radio.example/a/rather/long/path/of/the/radio");
  await form.getByLabel("Redirect URIs").fill("https://radio.example/callback\nhttp://127.0.0.1/callback");
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByText("cs_").first().waitFor();
  await take(page, `app-secret-${look}`);
  await page.goto(`${stack.urls.api}/you/apps`);
  await page.getByText("Edit", { exact: true }).first().click();
  await take(page, `apps-filled-${look}`);
  await page.getByRole("link", { name: "Harbour radio" }).first().click();
  await page.getByText("Made by").waitFor();
  await take(page, `app-${look}`);
}

/** Makes a personal token, and copies it. */
async function takeToken(page: Page, look: string): Promise<void> {
  await page.goto(`${stack.urls.api}/settings/tokens`);
  await page.getByRole("textbox", { name: "Name" }).fill("Harbour statistics");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Make the token" }).click();
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("status").filter({ hasText: /./ }).waitFor();
  await take(page, `token-${look}`);
}

async function playAndTake(page: Page, path: string, name: string): Promise<void> {
  await page.goto(stack.urls.api + path);
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Play / })
    .nth(1)
    .click();
  const queue = bar(page).getByRole("button", { name: "Queue", exact: true });
  if (!(await queue.isVisible())) await openFull(page);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.getByRole("button", { name: "Queue", exact: true }).click();
  await page.screenshot({ path: `${folder}/queue-${name}.png` });
}
