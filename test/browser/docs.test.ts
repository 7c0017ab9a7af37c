import { beforeAll, expect, test } from "vitest";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { isFull } from "../support/repeats.ts";
import { codesIn, filledIn } from "../support/snippets.ts";
import { stack } from "../support/stack.ts";
import { createPlayableTrack, uploadFinishedTrack } from "../support/tracks.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, styleOf } from "./browser.ts";
import { signInByForm } from "./sign-in.ts";

const browser = launchBrowser();
const at = (path: string) => stack.urls.api + path;

let ana: Person;

beforeAll(async () => {
  ana = await createUserWithPassword();
});

test("a reader gets a token by one click, runs samples with their own ids until it ends, and sees the app under Settings", async () => {
  const { id } = await createPlayableTrack(ana);
  const { page, complaints } = await browser.visit(at("/docs/reference/me"));
  const operation = page.locator("#get-me-tracks-id");
  await operation.getByRole("button", { name: "Run" }).click();
  expect(await styleOf(page, "#get-me-tracks-id .run-field input", "fontSize")).toBe("16px");
  await operation.getByRole("link", { name: "Get a token" }).click();
  await signInByForm(page, ana);
  await page.getByRole("button", { name: "Get a token" }).click();
  await page.waitForURL(at("/docs/reference/me#get-me-tracks-id"));
  await page.getByText("The samples show your ids.").waitFor();
  expect(await operation.locator("pre").first().textContent()).toContain(`/me/tracks/${id}`);
  await operation.getByRole("button", { name: "Run" }).press("Enter");
  await expect.poll(() => operation.getByRole("status").textContent()).toMatch(/^200 /);
  expect(await operation.locator(".run-reply").textContent()).toMatch(
    new RegExp(`Content-Type: application/json[\\s\\S]*"id": ${id}`),
  );
  expect(complaints).toEqual([]);
  await page.route(at(`/me/tracks/${id}`), (route) => route.fulfill({ status: 401, json: {} }));
  await operation.getByRole("button", { name: "Run again" }).click();
  await operation.getByRole("link", { name: "Get a token" }).waitFor();
  await page.goto(at("/settings"));
  expect(await page.getByText("Try it from the docs").count()).toBeGreaterThan(0);
  // Its secret would be an app without the plan that apps may need.
  await page.goto(at("/you/apps"));
  expect(await page.getByText("Try it from the docs").count()).toBe(0);
});

test("commands of a guide run with the reader's ids, a token for them leads back, and one that writes asks first", async () => {
  const { id } = await createPlayableTrack(ana);
  const { page, complaints } = await browser.visit(at("/docs/play"));
  const sample = page.locator(".sample").first();
  await sample.getByRole("button", { name: "Run" }).click();
  await sample.getByRole("link", { name: "Get a token" }).click();
  await signInByForm(page, ana);
  await page.getByRole("button", { name: "Get a token" }).click();
  await page.waitForURL(at("/docs/play#code-1"));
  await page.getByText("The samples show your ids.").waitFor();
  await sample.getByRole("button", { name: "Run" }).click();
  await expect.poll(() => sample.getByRole("status").textContent()).toMatch(/^200 /);
  expect(await sample.locator("input").last().inputValue()).toBe(`/tracks/${id}/streams`);
  const write = page.locator('.sample[data-method="POST"]');
  await write.getByRole("button", { name: "Run" }).click();
  await write.getByText("This changes your account.").waitFor();
  await write.getByRole("button", { name: "Send POST" }).click();
  await expect.poll(() => write.getByRole("status").textContent()).toMatch(/^20\d /);
  expect(complaints).toEqual([]);
});

test("an address of a heading shows it below the bar at the top, and the search of the docs stays in view", async () => {
  const { page } = await browser.visit(at("/docs/errors#not-found"), {
    viewport: { width: 1440, height: 900 },
  });
  const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
  await expect.poll(() => page.evaluate<number>("scrollY")).toBeGreaterThan(1000);
  const bar = await page.locator(".top").boundingBox();
  const below = (bar?.y ?? 0) + (bar?.height ?? 0);
  for (const shown of ["#not-found", ".docs-side form"]) {
    expect(await topOf(shown)).toBeGreaterThanOrEqual(below);
    expect(await topOf(shown)).toBeLessThan(below + 60);
  }
});

test("a sample that writes asks first, and one whose id the reader lacks waits for it", async () => {
  const { page } = await browser.visit(at("/docs/reference/me"));
  await page.getByRole("link", { name: "Sign in to fill in yours" }).click();
  await signInByForm(page, await createUserWithPassword());
  await page.getByRole("button", { name: "Get a token" }).click();
  await page.getByText("The samples show your ids.").waitFor();
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const change = page.locator("#put-me");
  await change.getByRole("button", { name: "Run" }).click();
  await change.getByText("This changes your account.").waitFor();
  await page.locator("#get-me-tracks-id").getByRole("button", { name: "Run" }).click();
  expect(await page.locator("#get-me-tracks-id input").last().inputValue()).toBe("/me/tracks/TRACK_ID");
  expect(sent).toEqual([]);
  await change.getByRole("button", { name: "Send PUT" }).click();
  await expect.poll(() => change.getByRole("status").textContent()).toMatch(/^200 /);
  expect(sent).toEqual(["PUT /me"]);
});

test("the page of the guide to playing plays a track as it is copied", async () => {
  const track = await uploadFinishedTrack(ana);
  const html = await (await fetch(at("/docs/play"))).text();
  const code = codesIn(html).find(({ language }) => language === "html")?.html ?? "";
  const { page } = await browser.visit(at("/docs"));
  await page.route(at("/player.html"), (route) =>
    route.fulfill({ contentType: "text/html", body: filledIn(code, { TRACK_ID: track.id }) }),
  );
  await page.route("https://cdn.jsdelivr.net/npm/hls.js@1/dist/hls.mjs", (route) =>
    route.fulfill({ contentType: "text/javascript", path: "node_modules/hls.js/dist/hls.mjs" }),
  );
  await page.goto(at(`/player.html#${ana.token}`));
  await expect.poll(() => page.evaluate<number>('document.getElementById("audio").readyState')).toBe(4);
});

test("a link cannot make the docs act in its sender's account", async () => {
  const { page } = await browser.visit(at("/docs/reference/me"));
  const operation = page.locator("#get-me");
  const offered = async (fragment: string) => {
    await page.goto(at(`/docs/errors`));
    await page.goto(at(`/docs/reference/me#${fragment}`));
    await operation.getByRole("button", { name: "Run" }).click();
    await operation.getByRole("link", { name: "Get a token" }).waitFor();
    expect(page.url()).toBe(at("/docs/reference/me#get-me"));
  };
  // The second time, this browser has asked for a token itself.
  await offered("access_token=sent&at=get-me");
  await offered("access_token=sent&at=get-me&state=null");
});

test("a browser that keeps nothing runs what needs no token, and says why the rest does not run", async () => {
  const { page, complaints } = await browser.visit(at("/docs/reference/me"), {
    prepare: (shown) =>
      shown.addInitScript(`for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("closed", "SecurityError") } });`),
  });
  const operation = page.locator("#get-me");
  await operation.getByRole("button", { name: "Run" }).click();
  await operation.getByText("your browser lets this site keep none").waitFor();
  await page.goto(at("/docs/reference/health"));
  const health = page.locator("#get-healthz");
  await health.getByRole("button", { name: "Run" }).click();
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
  await field.fill("rotateWebhookSecret");
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
  });
