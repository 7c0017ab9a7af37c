import type { Page, Route } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import {
  authorizePath,
  type ClientApp,
  createClientApp,
  exchange,
  HTTPS_CALLBACK,
} from "../support/consent.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { launchBrowser, styleOf, tabTo } from "./browser.ts";
import {
  signInByForm,
  signInByKeyboard,
  startForeignSite,
  storageStateOf,
  watchNavigation,
} from "./sign-in.ts";
import { addClient } from "./typed-client.support.ts";

/** Bytes of two parts. */
const SIZE = 17 * 2 ** 20;
const NATIVE = "com.example.app:/cb";
const NAME = "Tape & <b>Reel</b>";
const STATE = "a b&c=d/é+%20";

const browser = launchBrowser();
const site = startForeignSite();
let person: Person;
let app: ClientApp;
let signedIn: Awaited<ReturnType<typeof storageStateOf>>;

beforeAll(async () => {
  person = await createUserWithPassword();
  app = await createClientApp({ redirectUris: ["http://127.0.0.1/cb", NATIVE, HTTPS_CALLBACK], name: NAME });
  const { page } = await browser.visit(`${stack.urls.api}/signin`);
  await signInByForm(page, person);
  await page.waitForURL("**/settings");
  signedIn = await storageStateOf(page);
});

const asking = (redirect_uri = site.address("/cb")) =>
  stack.urls.api + authorizePath(app, { redirect_uri, state: STATE });

/** Some callbacks have no server, of which browsers complain, too. */
const isOfPolicy = (complaint: string) => /policy|form-action/i.test(complaint);

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const allow = (page: Page) => press(page, "Allow");

/** Query of the app's URL where the browser ends. It must be the last one requested there. */
async function answerAt(page: Page): Promise<Record<string, string>> {
  await page.getByRole("heading", { name: "Back at the app" }).waitFor();
  const { pathname, search, searchParams } = new URL(page.url());
  expect(pathname).toBe("/cb");
  expect(site.arrived.at(-1)).toBe(pathname + search);
  expect(new Set(searchParams.keys()).size).toBe([...searchParams.keys()].length);
  return Object.fromEntries(searchParams);
}

/** Expects a code that works, for the right user. */
async function expectAllowed(answer: Record<string, string>): Promise<void> {
  expect(answer).toEqual({ code: expect.any(String), state: STATE, iss: stack.urls.api });
  const redeemed = await exchange(app, answer.code ?? "", { redirect_uri: site.address("/cb") });
  expect(redeemed.status).toBe(200);
  const { access_token } = (await redeemed.json()) as { access_token: string };
  const me = await fetch(`${stack.urls.api}/me`, { headers: { Authorization: `OAuth ${access_token}` } });
  expect(await me.json()).toMatchObject({ id: person.id, username: person.username });
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with script" : "without script";

  test(`signing in and allowing returns to the app, ${how} (O119)`, async () => {
    const { page, complaints } = await browser.visit(asking(), { javaScriptEnabled });
    const signIn = new URL(page.url());
    expect(signIn.origin + signIn.pathname).toBe(`${stack.urls.api}/signin`);
    await signInByForm(page, person);
    await page.getByRole("heading", { name: `Allow ${NAME} to use your account?` }).waitFor();
    expect(page.url()).toBe(asking());
    await allow(page);
    await expectAllowed(await answerAt(page));
    expect(complaints).toEqual([]);
  });

  test(`the app learns of a refusal, ${how} (O119)`, async () => {
    const { page, complaints } = await browser.visit(asking(), { javaScriptEnabled, storageState: signedIn });
    await press(page, "Do not allow");
    expect(await answerAt(page)).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      state: STATE,
      iss: stack.urls.api,
    });
    expect(complaints).toEqual([]);
  });

  test.for([NATIVE, HTTPS_CALLBACK])(`allowing redirects to %s, ${how} (O119)`, async (callback) => {
    const { page, complaints } = await browser.visit(asking(callback), {
      javaScriptEnabled,
      storageState: signedIn,
    });
    const asked = await watchNavigation(page);
    await allow(page);
    await expect.poll(() => asked.find((url) => url.startsWith(`${callback}?code=ac_`))).toBeTruthy();
    expect(complaints.filter(isOfPolicy)).toEqual([]);
  });
}

test("signing in continues to an app that needs no further consent", async () => {
  const own = await createClientApp({ firstParty: true });
  const address = stack.urls.api + authorizePath(own);
  const first = await browser.visit(address, { storageState: signedIn });
  const allowed = await watchNavigation(first.page);
  await allow(first.page);
  await expect.poll(() => allowed.some((url) => url.startsWith(HTTPS_CALLBACK))).toBe(true);

  const { page, complaints } = await browser.visit(address);
  const asked = await watchNavigation(page);
  await signInByForm(page, person);
  await expect.poll(() => asked.find((url) => url.startsWith(`${HTTPS_CALLBACK}?code=ac_`))).toBeTruthy();
  expect(complaints.filter(isOfPolicy)).toEqual([]);
});

test("a browser follows only redirects that the consent page's policy names", async () => {
  const { page, complaints } = await browser.visit(asking(NATIVE), {
    storageState: signedIn,
    prepare: (page) =>
      page.route("**/authorize?*", (route) =>
        withPolicy(route, (policy) => policy.replace(/form-action .*/, "form-action 'self'")),
      ),
  });
  const asked = await watchNavigation(page);
  await page.unroute("**/authorize?*");
  await allow(page);
  await expect.poll(() => complaints.join()).toContain("form-action");
  expect(asked.filter((url) => url.startsWith(NATIVE))).toEqual([]);
});

test("the keyboard alone signs in and allows", async () => {
  const { page } = await browser.visit(asking());
  await signInByKeyboard(page, person);
  await page.waitForURL("**/authorize?*");
  await tabTo(page, "button[value=approve]");
  expect(await styleOf(page, "button[value=approve]", "outlineStyle")).toBe("solid");
  await page.keyboard.press("Enter");
  await expectAllowed(await answerAt(page));
});

test("the keyboard alone refuses", async () => {
  const { page } = await browser.visit(asking(), { storageState: signedIn });
  await tabTo(page, "button[value=deny]");
  await page.keyboard.press("Space");
  expect(await answerAt(page)).toMatchObject({ error: "access_denied" });
});

test("the session cookie is hidden from scripts and from other sites' forms", async () => {
  const { page } = await browser.visit(`${stack.urls.api}/settings`, { storageState: signedIn });
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name)).toContain(`sid-${new URL(stack.urls.api).port}`);
  for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  expect(await page.evaluate("document.cookie")).toBe("");
});

for (const name of ["consent", "sign-in", "settings"] as const) {
  test(`a foreign site that frames the page ${name} shows nothing of it (O119)`, async () => {
    const { framed, complaints, shown } = await frame(name);
    await expect.poll(() => complaints.join()).toMatch(/frame/i);
    await expect.poll(() => framed().url()).toMatch(/^chrome-error:/);
    expect(await shown()).toBe(0);
  });
}

test("the headers alone keep a page out of frames", async () => {
  const { shown } = await frame("consent", (page) =>
    page.route("**/authorize?*", (route) =>
      withPolicy(route, (policy) => policy.replace("frame-ancestors 'none'", "frame-ancestors *")),
    ),
  );
  await expect.poll(shown).toBe(1);
});

/** A site with one of our pages in a frame, visited by a signed-in user. */
async function frame(name: "consent" | "sign-in" | "settings", prepare?: (page: Page) => Promise<unknown>) {
  const [address, storageState] = {
    consent: [asking(), signedIn] as const,
    "sign-in": [`${stack.urls.api}/signin`, undefined] as const,
    settings: [`${stack.urls.api}/settings`, signedIn] as const,
  }[name];
  site.put(`/frames-${name}`, `<iframe src="${address.replaceAll("&", "&amp;")}"></iframe>`);
  const { page, complaints } = await browser.visit(site.address(`/frames-${name}`), {
    storageState,
    prepare,
  });
  const framed = () => page.frames()[1] ?? page.mainFrame();
  return { framed, complaints, shown: () => framed().locator("main#main").count() };
}

async function withPolicy(route: Route, change: (policy: string) => string): Promise<void> {
  const response = await route.fetch({ maxRedirects: 0 });
  const { "x-frame-options": _, ...headers } = response.headers();
  const policy = change(headers["content-security-policy"] ?? "");
  await route.fulfill({ response, headers: { ...headers, "content-security-policy": policy } });
}

test("the typed client signs in on another site, its tabs refresh once, and it uploads", async () => {
  const own = await createClientApp({ redirectUris: ["http://127.0.0.1/cb"], name: NAME });
  const { page } = await browser.visit(site.address("/app"), { storageState: signedIn });
  await addClient(page, own);
  const begin = `client.session.begin(${JSON.stringify(site.address("/cb"))})`;
  await page.goto(await page.evaluate<string>(begin));
  await allow(page);
  await page.waitForURL("**/cb?*");
  await addClient(page, own);
  await page.evaluate("client.session.finish(location.href)");

  const tab = await page.context().newPage();
  await tab.goto(site.address("/app"));
  await addClient(tab, own);
  let refreshed = 0;
  page.context().on("request", (request) => {
    if (request.url().endsWith("/oauth/token")) refreshed++;
  });
  await page.evaluate(`(async () => {
    const { tokens } = client.session;
    await tokens.write({ ...(await tokens.read()), expiresAt: 0 });
  })()`);
  const ask = `client.get("/me").then(async ({ id }) => [id, await client.session.tokens.current()])`;
  const [here, there] = await Promise.all([page, tab].map((each) => each.evaluate<[number, string]>(ask)));
  expect(here?.[0]).toBe(person.id);
  expect(there).toEqual(here);
  expect(refreshed).toBe(1);

  const upload = await tab.evaluate(`(async () => {
    const seen = [];
    const file = new File([new Uint8Array(${SIZE})], "long.wav", { type: "audio/wav" });
    const { status } = await uploadFile(client, file, { onProgress: (sent) => seen.push(sent) });
    return [status, seen.at(-1)];
  })()`);
  expect(upload).toEqual(["ready", SIZE]);
});
