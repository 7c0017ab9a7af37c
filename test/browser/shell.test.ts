import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, playsPast, position, seekTo } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { bar, barButton, titleInBar } from "./player.ts";
import { signInByForm } from "./sign-in.ts";
import { startSiteHosts } from "./site-hosts.ts";

/** Site, accounts and docs have hosts of their own, and one shell: the top, and the music. */

const DOMAIN = "soundpost.test";
const apart = launchBrowser();
const together = launchBrowser(`--host-resolver-rules=MAP *.${DOMAIN} 127.0.0.1`);
let ana: Person;
let track: Track;
let path: string;

/** Begins like an address. */
const TITLE = "Harbour: night";

type Site = Awaited<ReturnType<typeof startSiteHosts>>;

beforeAll(async () => {
  ana = await createUserWithPassword();
  track = await finishedTrack(ana, { title: TITLE, permalink: "harbour", sharing: "private" });
  path = new URL(track.permalink_url).pathname;
});

/** Signed in, with a private track of theirs that plays. */
async function listening(browser: typeof apart, site: Site, options = {}) {
  const visit = await browser.visit(`${site.web}/session/new?next=${path}`, options);
  const { page } = visit;
  await signInByForm(page, ana);
  await page.waitForURL(`${site.web}${path}`);
  await page.getByRole("main").getByRole("button", { name: /^Play/ }).first().click();
  await playsPast(page, 1);
  return visit;
}

async function choose(page: Page, name: string) {
  await page.locator(".menu summary").click();
  await page.locator(".menu").getByRole("link", { name, exact: true }).click();
}

/** The bar is there with the track, where it was. */
async function isHandedOver(page: Page, after: number) {
  await bar(page).waitFor();
  expect(await titleInBar(page)).toBe(TITLE);
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(after);
  expect(page.url()).not.toContain("player=");
}

describe("where the hosts are one site to browsers", () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSiteHosts(DOMAIN);
  });
  afterAll(() => site?.stop());

  test("music plays on at settings, apps, docs and back home, without a press", async () => {
    const { page, complaints } = await listening(together, site);
    await choose(page, "Settings");
    await page.waitForURL(`${site.auth}/settings`);
    await isHandedOver(page, 1);
    await playsPast(page, 1.5);
    await choose(page, "Apps");
    await page.waitForURL(`${site.auth}/you/apps`);
    await isHandedOver(page, 1.5);
    await playsPast(page, 2);
    await page.getByRole("link", { name: "Developers" }).click();
    await page.waitForURL(`${site.api}/docs`);
    await isHandedOver(page, 2);
    await playsPast(page, 2.5);
    await bar(page).getByRole("link", { name: "Harbour" }).click();
    await page.waitForURL(`${site.web}${path}`);
    await isHandedOver(page, 2.5);
    await playsPast(page, 3);
    // Without https, a domain that is not this machine's isolates no windows.
    expect(complaints.filter((one) => !one.includes("Cross-Origin-Opener-Policy"))).toEqual([]);
  });
});

describe("where each host is a site of its own", () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSiteHosts();
  });
  afterAll(() => site?.stop());

  test("the bar stays with its track at the place, and one press goes on", async () => {
    const { page } = await listening(apart, site);
    await choose(page, "Settings");
    await page.waitForURL(`${site.auth}/settings`);
    await isHandedOver(page, 1);
    await page.getByText("Press Play to go on").waitFor();
    // The bar covers no field there.
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    expect(await faultsOfAccess(page)).toEqual([]);
    await barButton(page, "Play").click();
    await playsPast(page, 1.5);
    await seekTo(page, 1.5);
    // A form of the same host's loads a page, too, and the music goes on by itself.
    await page.getByRole("button", { name: "Save profile" }).click();
    await page.getByText("Your profile is saved").waitFor();
    await playsPast(page, 2);
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("Harbour");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${site.web}/search?q=Harbour`);
    await isHandedOver(page, 2);
  });

  test.each([
    ["auth", "/settings"],
    ["auth", "/you/apps"],
    ["auth", "/signin"],
    ["auth", "/signup"],
    ["api", "/docs"],
  ] as const)("%s%s has the site's top, which claims nobody signed out", async (host, at) => {
    const { page, complaints } = await listening(apart, site, { viewport: { width: 390, height: 844 } });
    await page.goto(site[host] + at);
    await page.getByRole("link", { name: "Discover" }).first().waitFor();
    await page.locator(".menu summary").waitFor();
    expect(await page.getByRole("banner").getByRole("link", { name: "Sign in" }).count()).toBe(0);
    expect(await overflow(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("whoever signs out on the accounts' host leaves no queue behind", async () => {
    const { page } = await listening(apart, site);
    await choose(page, "Settings");
    await page.waitForURL(`${site.auth}/settings`);
    await isHandedOver(page, 1);
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.getByText("You are signed out").waitFor();
    expect(await bar(page).isVisible()).toBe(false);
    await page.getByRole("link", { name: "Discover" }).first().click();
    await page.waitForURL(`${site.web}/discover`);
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    expect(await bar(page).isVisible()).toBe(false);
  });

  test("an address that somebody else wrote starts nothing, at home or elsewhere", async () => {
    const handed = {
      queue: {
        entries: [{ id: track.id, title: "Free gifts", page: "https://evil.example/" }],
        at: 0,
        position: 0,
      },
      isPlaying: true,
      atMs: Date.now(),
      sources: { hls: "https://evil.example/x.m3u8", page: "https://evil.example/", title: "Free gifts" },
    };
    const fragment = `player=${Buffer.from(JSON.stringify(handed)).toString("base64url")}`;
    const { page } = await apart.visit(`${site.web}/discover#${fragment}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    expect([await bar(page).isVisible(), page.url()]).toEqual([false, `${site.web}/discover`]);
    const { page: docs } = await apart.visit(`${site.api}/docs#${fragment}`);
    await docs.getByRole("heading", { level: 1 }).first().waitFor();
    expect([await bar(docs).isVisible(), docs.url()]).toEqual([false, `${site.api}/docs`]);
  });
});

test("on a phone four places are at the foot, and the present one is marked", async () => {
  const site = await startSiteHosts();
  try {
    const { page } = await apart.visit(`${site.web}/discover`, {
      viewport: { width: 320, height: 700 },
      hasTouch: true,
      isMobile: true,
    });
    const places = page.getByRole("navigation", { name: "Main" });
    expect(await places.getByRole("link").allTextContents()).toEqual(["Home", "Search", "Upload", "You"]);
    for (const place of await places.getByRole("link").all())
      expect((await place.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await places.getByRole("link", { name: "Search" }).click();
    await page.waitForURL(`${site.web}/search`);
    expect(await places.locator("[aria-current]").textContent()).toBe("Search");
    await page.getByRole("searchbox", { name: "Search" }).waitFor();
    expect(await overflow(page)).toBe(0);
    await places.getByRole("link", { name: "You" }).click();
    await page.waitForURL(`${site.auth}/signin?**`);
  } finally {
    await site.stop();
  }
});
