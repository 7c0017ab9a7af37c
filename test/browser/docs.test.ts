import { beforeAll, expect, test } from "vitest";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { isFull } from "../support/repeats.ts";
import { stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, styleOf } from "./browser.ts";
import { signInByForm } from "./sign-in.ts";

const browser = launchBrowser();
const at = (path: string) => stack.urls.api + path;

let ana: Person;

beforeAll(async () => {
  ana = await createUserWithPassword();
});

test("a reader gets a token by one click, tries an operation until it ends, and sees the app under Settings", async () => {
  const { page, complaints } = await browser.visit(at("/docs/reference/me"));
  const operation = page.locator("#get-me");
  await operation.getByRole("button", { name: "Try it" }).click();
  expect(await styleOf(page, "#get-me .try-field input", "fontSize")).toBe("16px");
  await operation.getByRole("link", { name: "Get a token" }).click();
  await signInByForm(page, ana);
  await page.getByRole("button", { name: "Get a token" }).click();
  await page.waitForURL(at("/docs/reference/me#get-me"));
  await operation.getByRole("button", { name: "Try it" }).click();
  await operation.getByRole("button", { name: "Send GET" }).click();
  await expect.poll(() => operation.getByRole("status").textContent()).toMatch(/^200 [\s\S]*"username": "u/);
  expect(complaints).toEqual([]);
  await page.route(at("/me"), (route) => route.fulfill({ status: 401, json: {} }));
  await operation.getByRole("button", { name: "Send GET" }).click();
  await operation.getByRole("link", { name: "Get a token" }).waitFor();
  await page.goto(at("/settings"));
  expect(await page.getByText("Try it from the docs").count()).toBeGreaterThan(0);
  // Its secret would be an app without the plan that apps may need.
  await page.goto(at("/you/apps"));
  expect(await page.getByText("Try it from the docs").count()).toBe(0);
});

test("a link cannot make the docs act in its sender's account", async () => {
  const { page } = await browser.visit(at("/docs/reference/me"));
  const operation = page.locator("#get-me");
  const offered = async (fragment: string) => {
    await page.goto(at(`/docs/errors`));
    await page.goto(at(`/docs/reference/me#${fragment}`));
    await operation.getByRole("button", { name: "Try it" }).click();
    await operation.getByRole("link", { name: "Get a token" }).waitFor();
    expect(page.url()).toBe(at("/docs/reference/me#get-me"));
  };
  // The second time, this browser has asked for a token itself.
  await offered("access_token=sent&at=get-me");
  await offered("access_token=sent&at=get-me&state=null");
});

test("a browser that keeps nothing tries what needs no token, and says why the rest cannot be tried", async () => {
  const { page, complaints } = await browser.visit(at("/docs/reference/me"), {
    prepare: (shown) =>
      shown.addInitScript(`for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("closed", "SecurityError") } });`),
  });
  const operation = page.locator("#get-me");
  await operation.getByRole("button", { name: "Try it" }).click();
  await operation.getByText("your browser lets this site keep none").waitFor();
  await page.goto(at("/docs/reference/health"));
  const health = page.locator("#get-healthz");
  await health.getByRole("button", { name: "Try it" }).click();
  await health.getByRole("button", { name: "Send GET" }).click();
  await expect.poll(() => health.getByRole("status").textContent()).toMatch(/^200 /);
  expect(complaints).toEqual([]);
});

test("the search counts one result as one, and finds again after the network was away", async () => {
  const { page } = await browser.visit(at("/docs"));
  const status = page.locator("search").getByRole("status");
  const field = page.getByRole("searchbox", { name: "Search the docs" });
  await page.context().setOffline(true);
  await field.fill("loud");
  await page.getByText("The search is out of reach").waitFor();
  await page.context().setOffline(false);
  await field.fill("loudness");
  await expect.poll(() => status.textContent()).toBe("1 result");
  await field.fill("track");
  await expect.poll(() => status.textContent()).toBe("8 results");
});

test("the search finds while it is typed, and is walked by keyboard", async () => {
  const { page } = await browser.visit(at("/docs"));
  await page.keyboard.press("/");
  await page.keyboard.type("download the orig");
  await page.locator(".docs-results a").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(at("/docs/reference/tracks#get-tracks-id-download"));
});

test("a chosen language stays chosen on other pages, and code is copied", async () => {
  const { page } = await browser.visit(at("/docs/tokens"));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("Python", { exact: true }).first().click();
  await page.goto(at("/docs/play"));
  const shown = page.locator('.tabbed pre[data-language="python"]').first();
  expect(await shown.isVisible()).toBe(true);
  await page.locator('pre[data-language="python"] + .copy').first().click();
  expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(await shown.textContent());
});

/** A long part of the reference takes axe two seconds. A shorter one is made of the same pieces. */
for (const [device, viewport, colorScheme, reference] of [
  ["a phone in the dark", { width: 320, height: 568 }, "dark", "tracks"],
  ["a desktop", { width: 1440, height: 1000 }, "light", isFull ? "me" : "uploads"],
] as const)
  test(`the pages of the docs fit ${device}, and axe finds nothing serious or moderate`, async () => {
    for (const path of [
      "/docs",
      "/docs/quick-start",
      "/docs/errors",
      `/docs/reference/${reference}`,
      "/docs/search?q=track",
    ]) {
      const { page } = await browser.visit(at(path), { viewport, colorScheme });
      expect([path, await overflow(page), await faultsOfAccess(page)]).toEqual([path, 0, []]);
      await page.close();
    }
  }, 120_000);
