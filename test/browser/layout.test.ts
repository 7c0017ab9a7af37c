import { beforeAll, expect, test } from "vitest";
import { createUserWithPassword } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { uploadFinishedTrack } from "../support/tracks.ts";
import { launchBrowser, overflow, styleOf } from "./browser.ts";

const browser = launchBrowser();

const DEVICES = {
  "a desktop": { viewport: { width: 1280, height: 900 } },
  "a desktop in the dark": { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  "a phone": { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  "a phone in the dark": {
    viewport: { width: 320, height: 640 },
    isMobile: true,
    hasTouch: true,
    colorScheme: "dark",
  },
} as const;

const addresses: Record<string, string> = { home: "/", reference: "/docs", "not found": "/nobody/nothing" };

beforeAll(async () => {
  const unbroken = `${"Donaudampfschifffahrts".repeat(8)} & others`;
  const track = await uploadFinishedTrack(await createUserWithPassword(), {
    title: unbroken,
    artist: unbroken,
    tag_list: unbroken,
  });
  addresses.track = new URL(track.permalink_url).pathname;
});

for (const [device, options] of Object.entries(DEVICES)) {
  test.for(["home", "reference", "not found", "track"])(`the page %s fits ${device}`, async (name) => {
    const { page, complaints } = await browser.visit(stack.urls.api + addresses[name], options);
    expect(await overflow(page)).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    const dark = "colorScheme" in options;
    const background = await styleOf(page, "body", "backgroundColor");
    expect(background).toBe(dark ? "rgb(19, 20, 19)" : "rgb(247, 245, 241)");
    expect(complaints.filter((each) => !each.includes("status of 404"))).toEqual([]);
  });
}

test("the contents of the reference link to each operation", async () => {
  const { page } = await browser.visit(`${stack.urls.api}/docs`);
  const document = (await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as { paths: object };
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
  const links = page.getByRole("navigation", { name: "Contents" }).locator("a");
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(targets.length).toBeGreaterThan(operations.length);
  expect(new Set(targets).size).toBe(targets.length);
  for (const target of targets) expect(await page.locator(target).count(), target).toBe(1);
});
