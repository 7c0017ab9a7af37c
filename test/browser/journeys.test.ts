import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { api } from "../support/api.ts";
import { uniqueName } from "../support/browser.ts";
import { createUser } from "../support/people.ts";
import { frameOf, openBlog } from "./blog.ts";
import { overflow, playsPast } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { byKeyboard } from "./hands.ts";
import { openJourneys } from "./journey.support.ts";
import { bar, barButton, titleInBar } from "./player.ts";

const { browser, site, joined, choosePage, publishAndListen } = openJourneys();
const blogPage = openBlog();

test("a musician publishes, and a listener finds, hears, likes and comments, by keyboard alone", () =>
  publishAndListen(byKeyboard));

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
    await expect.poll(() => received.length).toBe(1);
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByText("Delivered").count();
      })
      .toBeGreaterThan(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByText("Attempts and content").click();
    expect(await overflow(page)).toBe(0);
    await page.getByRole("button", { name: /^Send again/ }).click();
    await expect.poll(() => received.length).toBe(2);
    expect(complaints).toEqual([]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test("a visitor's pointer above a track's buttons fetches nothing from the accounts' host", async () => {
  const { permalink_url } = await finishedTrack(await createUser());
  const { page, complaints } = await browser.visit(site().web + new URL(permalink_url).pathname);
  for (const link of await page.locator(".acts a").all()) {
    await link.hover();
    // Turbo fetches the link after 100 ms.
    await page.waitForTimeout(300);
  }
  expect(complaints).toEqual([]);
  await page.getByRole("main").getByRole("link", { name: "Add to set" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL(`${site().auth}/signin?**`);
});

test("a visitor's page, player and embed tell the truth while the owner changes a track", async () => {
  const ana = await createUser();
  const title = `Pier ${uniqueName()}`;
  const { id, permalink } = await finishedTrack(ana, { title });
  const address = `${site().web}/${ana.username}/${permalink}`;
  const change = async (track: object) =>
    expect((await api.as(ana).put(`/tracks/${id}`, { json: { track } })).status).toBe(200);

  const { page } = await browser.visit(address);
  const { page: blog } = await browser.visit(
    blogPage(frameOf(`${site().web}/player/?${new URLSearchParams({ url: address })}`)),
  );
  const embed = blog.frameLocator("#player");
  /** Loads all anew. Returns the headings of page and embed, and how often a search finds the track. */
  const see = async (words = title) => {
    const { page: search } = await browser.visit(`${site().web}/search?${new URLSearchParams({ q: words })}`);
    const hits = await search.getByRole("main").getByRole("link", { name: words, exact: true }).count();
    await search.context().close();
    await Promise.all([page.reload(), blog.reload()]);
    return [await page.locator("h1").textContent(), await embed.locator("h1").textContent(), hits];
  };
  const GONE = "There is nothing here";

  await page.getByRole("main").getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.1);
  await embed.getByRole("button", { name: "Play" }).click();
  await embed.getByRole("button", { name: "Pause" }).waitFor();

  const renamed = `${title} at night`;
  await change({ title: renamed });
  expect(await see(renamed)).toEqual([renamed, renamed, 1]);
  await barButton(page, "Play").click();
  await expect.poll(() => titleInBar(page)).toBe(renamed);

  await change({ sharing: "private" });
  expect(await see(renamed)).toEqual([GONE, GONE, 0]);
  await barButton(page, "Play").click();
  await bar(page).getByText("This track is no longer there.").waitFor();

  await change({ sharing: "public", embeddable_by: "none" });
  expect(await see(renamed)).toEqual([renamed, "This cannot be played on other sites", 1]);
  await barButton(page, "Play").click();
  await playsPast(page, 0.1);

  await change({ embeddable_by: "all", available_country_codes: ["NZ"] });
  await see(renamed);
  await page.getByText("not available").first().waitFor();
  await embed.getByText("This track is not available to you.").waitFor();
  await barButton(page, "Play").click();
  await bar(page).getByText("This track is not available to you.").waitFor();

  const { page: profile } = await browser.visit(`${site().web}/${ana.username}`);
  await api.as(ana).delete(`/tracks/${id}`);
  expect(await see(renamed)).toEqual([GONE, GONE, 0]);
  const links = profile.getByRole("main").getByRole("link", { name: renamed });
  expect(await links.count()).toBeGreaterThan(0);
  await profile.reload();
  expect(await links.count()).toBe(0);
});
