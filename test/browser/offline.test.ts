import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, createUserWithPassword, type Person } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { createTrack } from "../support/tracks.ts";
import { launchBrowser, overflow } from "./browser.ts";
import { signInByForm } from "./sign-in.ts";
import { startSiteHosts } from "./site-hosts.ts";

const browser = launchBrowser();
let site: Awaited<ReturnType<typeof startSiteHosts>>;
let artist: Person;
let secret: string;

beforeAll(async () => {
  [site, artist] = await Promise.all([startSiteHosts(), createUser()]);
  await createTrack(artist, { title: "Pier", permalink: "pier" });
  await createTrack(artist, { title: "Gone", permalink: "gone" });
  ({ secret } = await createTrack(artist, { title: "Draft", permalink: "draft", sharing: "private" }));
});
afterAll(() => site?.stop());

const at = (path: string) => `${site.web}${path}`;

/** Opens a page, and waits for the worker to have kept it. */
async function open(path: string): Promise<Page> {
  const { page } = await browser.visit(at(path), { serviceWorkers: "allow" });
  await expect.poll(() => storedPages(page)).toContain(path);
  return page;
}

const storedPages = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const paths = [];
    for (const name of await caches.keys())
      if (name.startsWith("pages-"))
        for (const { url } of await (await caches.open(name)).keys()) paths.push(url.slice(location.origin.length));
    return paths;
  })()`);

const storedFiles = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const urls = [];
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
    return urls;
  })()`);

const setOffline = (page: Page, to: boolean) => page.context().setOffline(to);

async function signIn(page: Page, person: Person, next: string) {
  await page.goto(at(`/session/new?next=${next}`));
  await signInByForm(page, person);
  await page.waitForURL(at(next));
}

test("a page that was opened before opens without a network, and says from when it is", async () => {
  const page = await open(`/${artist.username}/pier`);
  await page.goto(at("/discover"));
  await expect.poll(() => storedPages(page)).toContain("/discover");
  await setOffline(page, true);
  await page.goto(at(`/${artist.username}/pier`));
  await page.getByRole("heading", { level: 1, name: "Pier" }).waitFor();
  await page.getByText(/^You are offline\. This page is from .*\d/).waitFor();
  expect(await overflow(page)).toBe(0);
  // By a link, as Turbo asks for it.
  await page.getByRole("link", { name: "Discover" }).first().click();
  await page.waitForURL(at("/discover"));
  await page.getByText("You are offline").first().waitFor();
  expect(await page.evaluate("getComputedStyle(document.querySelector('.top')).position")).toBe("sticky");
  await setOffline(page, false);
  await page.goto(at("/discover"));
  expect(await page.getByText("You are offline").count()).toBe(0);
});

test("a page that was not opened says so, and leads to those that were", async () => {
  const page = await open(`/${artist.username}/pier`);
  await setOffline(page, true);
  await page.goto(at(`/${artist.username}/gone`));
  await page.getByRole("heading", { name: "You are offline" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: /^Pier/ }).click();
  await page.getByRole("heading", { level: 1, name: "Pier" }).waitFor();
});

test("a track that was taken away is not shown again, offline or not", async () => {
  const page = await open(`/${artist.username}/gone`);
  await sql("update tracks set sharing = 'private' where user_id = $1 and permalink = 'gone'", [artist.id]);
  await page.goto(at(`/${artist.username}/gone`));
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  await expect.poll(() => storedPages(page)).not.toContain(`/${artist.username}/gone`);
});

test("secrets, forms, settings and the API's replies are never kept", async () => {
  const fan = await createUserWithPassword();
  const page = await open(`/${artist.username}/pier`);
  await signIn(page, fan, "/you/library");
  await expect.poll(() => storedPages(page)).toContain("/you/library");
  for (const path of [
    `/${artist.username}/draft/${secret}`,
    "/upload",
    "/you/tracks",
    "/report",
    "/you/links",
  ])
    await page.goto(at(path));
  await page.goto(at("/discover"));
  await expect.poll(() => storedPages(page)).toContain("/discover");
  expect(secret).toMatch(/^s-/);
  expect((await storedPages(page)).toSorted()).toEqual(["/discover", "/you/library"]);
  for (const url of await storedFiles(page))
    expect(url).toMatch(/\/static\/|\/offline$|\/discover$|\/you\/library$/);
});

test("pages of a reader go with their session, and another reader finds none", async () => {
  const [fan, other] = [await createUserWithPassword(), await createUserWithPassword()];
  const page = await open(`/${artist.username}/pier`);
  await signIn(page, fan, "/you/library");
  await expect.poll(() => storedPages(page)).toEqual(["/you/library"]);
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  await expect.poll(() => storedPages(page)).not.toContain("/you/library");
  await signIn(page, fan, "/you/history");
  await expect.poll(() => storedPages(page)).toEqual(["/you/history"]);
  // The session ends elsewhere: the next page tells.
  await sql("delete from site_sessions where user_id = $1", [fan.id]);
  await page.goto(at("/discover"));
  await expect.poll(() => storedPages(page)).toEqual(["/discover"]);
  await page.context().clearCookies();
  await signIn(page, other, "/you/library");
  await expect.poll(() => storedPages(page)).toEqual(["/you/library"]);
});
