import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, uniqueName } from "../support/browser.ts";
import { launchBrowser, playsPast } from "./browser.ts";
import { startSiteHosts } from "./site-hosts.ts";
import { cardOf, choose, taggedFile } from "./upload.support.ts";

const browser = launchBrowser();
let site: Awaited<ReturnType<typeof startSiteHosts>>;

beforeAll(async () => {
  site = await startSiteHosts();
});
afterAll(() => site?.stop());

/** Opens the site, signs up and confirms the address by its mail. */
async function joined(username: string) {
  const visit = await browser.visit(`${site.web}/`);
  const { page } = visit;
  const email = `${username}@example.com`;
  await page.getByRole("link", { name: "Sign up" }).click();
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL(`${site.web}/`);
  await expect.poll(() => site.mailedLink(email), { timeout: 30_000 }).toContain("/confirm");
  await page.goto(await site.mailedLink(email));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("heading", { name: "confirmed" }).waitFor();
  await page.goto(`${site.web}/`);
  return visit;
}

/** Opens an entry of the reader's menu. */
async function choosePage(page: Page, name: string) {
  await page.locator(".menu summary").click();
  await page.locator(".menu").getByRole("link", { name, exact: true }).click();
}

const openAct = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name, exact: true });

test("a musician publishes, and a listener finds, hears, likes and comments, without a terminal", async () => {
  const [musician, listener] = [`ana${uniqueName()}`, `ben${uniqueName()}`];
  const title = `Harbour ${uniqueName()}`;

  const ana = await joined(musician);
  await ana.page.getByRole("link", { name: "Upload" }).click();
  await choose(ana.page, await taggedFile("harbour.mp3", title));
  const card = cardOf(ana.page, title);
  await card.getByLabel("Public when ready").check();
  await card.getByRole("button", { name: "Save" }).click();
  await card.getByText("Ready", { exact: true }).waitFor({ timeout: 60_000 });

  const ben = await joined(listener);
  const { page } = ben;
  await page.getByRole("searchbox").first().fill(title);
  await page.keyboard.press("Enter");
  await page.getByRole("main").getByRole("link", { name: title, exact: true }).first().click();
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  await page
    .getByRole("button", { name: `Play ${title}` })
    .or(page.getByRole("button", { name: "Play", exact: true }))
    .first()
    .click();
  await playsPast(page, 0.3);

  await openAct(page, "Like").click();
  await openAct(page, "Liked").waitFor();
  await page.getByLabel("Your comment").fill("What a harbour");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.getByText("What a harbour").first().waitFor();
  await page
    .getByRole("main")
    .getByRole("button", { name: `Follow ${musician}` })
    .click();
  await page
    .getByRole("main")
    .getByRole("button", { name: `Following ${musician}` })
    .waitFor();
  await playsPast(page, 0.6);

  await page.getByRole("main").getByRole("link", { name: "Add to set" }).click();
  await page.getByLabel("Title").fill("Evenings");
  await page.getByRole("button", { name: "Create the set" }).click();
  await page.getByRole("main").getByText("Evenings").first().waitFor();
  await choosePage(page, "Library");
  await page.getByRole("main").getByRole("link", { name: title, exact: true }).first().waitFor();

  await choosePage(ana.page, "Notifications");
  const notices = ana.page.getByRole("main");
  await notices.getByText("liked your track").first().waitFor();
  await notices.getByText("What a harbour").first().waitFor();
  expect([ana.complaints, ben.complaints]).toEqual([[], []]);
});

test("a developer makes a webhook, tests it and sends it again, without a terminal", async () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { page, complaints } = await joined(`dev${uniqueName()}`);
    await choosePage(page, "Webhooks");
    await page.getByLabel("Address").fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    await page.getByLabel("Somebody follows you").check();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("whsec_").first().waitFor();
    await choosePage(page, "Webhooks");
    await page
      .getByRole("main")
      .getByRole("link", { name: /127\.0\.0\.1/ })
      .click();
    await page.getByRole("button", { name: "Send a test" }).click();
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(1);
    await expect
      .poll(
        async () => {
          await page.reload();
          return page.getByText("Delivered").count();
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0);
    await page.getByRole("button", { name: /^Send again/ }).click();
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(2);
    expect(complaints).toEqual([]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
