import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { PASSWORD, uniqueName } from "../support/browser.ts";
import { launchBrowser, playsPast, position, styleOf } from "./browser.ts";
import { byPointer, type Hands } from "./hands.ts";
import { startSiteHosts } from "./site-hosts.ts";
import { cardOf, taggedFile } from "./upload.support.ts";

/** Journeys of people through a service whose site, accounts and API have hosts of their own, from signing up on. */
export function openJourneys() {
  const browser = launchBrowser();
  let site: Awaited<ReturnType<typeof startSiteHosts>>;
  beforeAll(async () => {
    site = await startSiteHosts();
  });
  afterAll(() => site?.stop());

  /** Opens the site, signs up and confirms the address by its mail. */
  async function joined(username: string, { press, write }: Hands = byPointer) {
    const visit = await browser.visit(`${site.web}/`);
    const { page } = visit;
    const email = `${username}@example.com`;
    await press(page.getByRole("link", { name: "Sign up" }));
    await write(page.getByLabel("Username"), username);
    await write(page.getByLabel("E-mail address"), email);
    await write(page.getByLabel("Password", { exact: true }), PASSWORD);
    await press(page.getByRole("button", { name: "Create account" }));
    await page.waitForURL(`${site.web}/?notice=welcome`);
    await page.getByText("We have sent you a mail").waitFor();
    expect(await styleOf(page, "main > .done", "marginBottom")).not.toBe("0px");
    await expect.poll(() => site.mailedLink(email)).toContain("/confirm");
    await page.goto(await site.mailedLink(email));
    await press(page.getByRole("button", { name: "Confirm" }));
    await page.getByRole("heading", { name: "confirmed" }).waitFor();
    await press(page.getByRole("link", { name: "Go on to" }));
    await page.waitForURL(`${site.web}/`);
    return visit;
  }

  /** Opens an entry of the reader's menu. */
  async function choosePage(page: Page, name: string, { press }: Hands = byPointer) {
    await press(page.locator(".menu summary"));
    await press(page.locator(".menu").getByRole("link", { name, exact: true }));
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await expect.poll(() => page.locator("#page-said").textContent()).toContain(name);
  }

  /** A musician publishes a track, and a listener finds, hears, likes and comments it. */
  async function publishAndListen(hands: Hands) {
    const { press, write, tick, choose } = hands;
    const [musician, listener] = [`ana${uniqueName()}`, `ben${uniqueName()}`];
    const title = `Harbour ${uniqueName()}`;

    const ana = await joined(musician, hands);
    await press(ana.page.getByRole("link", { name: "Upload" }));
    await choose(ana.page.locator("#upload-files"), await taggedFile("harbour.mp3", title));
    const card = cardOf(ana.page, title);
    await tick(card.getByLabel("Public when ready"));
    await press(card.getByRole("button", { name: "Save" }));
    await card.getByText("Ready", { exact: true }).waitFor({ timeout: 60_000 });

    const ben = await joined(listener, hands);
    const { page } = ben;
    const main = page.getByRole("main");
    /** Some buttons show a count behind their name. */
    const act = (name: string) => main.getByRole("button", { name: new RegExp(`^${name}(?: \\d+)?$`) });
    await write(page.getByRole("banner").getByLabel("Search", { exact: true }), title);
    await page.keyboard.press("Enter");
    await press(main.getByRole("link", { name: title, exact: true }).first());
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    await press(act("Play"));
    await playsPast(page, 0.3);

    await press(act("Like"));
    await act("Liked").waitFor();
    await write(page.getByLabel("Your comment"), "What a harbour");
    await press(act("Comment"));
    await page.getByText("What a harbour").first().waitFor();
    await press(act(`Follow ${musician}`));
    await act(`Following ${musician}`).waitFor();
    // It may have ended meanwhile.
    await expect.poll(() => position(page)).toBeGreaterThan(0.6);

    await press(main.getByRole("link", { name: "Add to set" }));
    const choice = page.getByRole("dialog");
    await write(choice.getByLabel("Title"), "Evenings");
    await press(choice.getByRole("button", { name: "Create the set" }));
    await choice.getByRole("button", { name: `Remove ${title} from Evenings` }).waitFor();
    await press(choice.getByRole("button", { name: "Close" }));
    await choosePage(page, "Library", hands);
    await main.getByRole("link", { name: title, exact: true }).first().waitFor();

    await press(page.locator(".menu summary"));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".menu[open]").count()).toBe(0);
    expect(await page.locator(".menu summary:focus").count()).toBe(1);

    await choosePage(ana.page, "Notifications", hands);
    const notices = ana.page.getByRole("main");
    await notices.getByText("liked your track").first().waitFor();
    await notices.getByText("What a harbour").first().waitFor();
    expect([ana.complaints, ben.complaints]).toEqual([[], []]);
  }

  return { browser, site: () => site, joined, choosePage, publishAndListen };
}
