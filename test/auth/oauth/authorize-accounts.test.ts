import { expect, test } from "vitest";
import {
  Browser,
  createMember,
  type Member,
  PASSWORD,
  type PageReply,
  signIn,
} from "../../support/browser.ts";
import { authorizePath, createClientApp, formsIn } from "../../support/consent.ts";
import { stack } from "../../support/stack.ts";

const ORIGIN = stack.urls.api;

/** Sends the page's form whose action begins with the path. */
function send(browser: Browser, page: PageReply, path: string, more: Record<string, string> = {}) {
  const form = formsIn(page.html, `${ORIGIN}/authorize`).find(({ action }) =>
    action.startsWith(ORIGIN + path),
  );
  if (!form) throw new Error(`no form leads to ${path}: ${page.status} ${page.html}`);
  return browser.post(form.action, { ...form.fields, ...more });
}

/** Follows an app's link through sign-in to its callback, like a browser. */
async function comeBack(browser: Browser, request: string, { email }: Member): Promise<URL> {
  const asked = await browser.get(request);
  const shown = await browser.get(asked.headers.location ?? "");
  const signedIn = await send(browser, shown, "/signin", { email, password: PASSWORD });
  expect([signedIn.status, signedIn.headers.location]).toEqual([303, request]);
  const consent = await browser.get(request);
  const approved = await send(browser, consent, "/authorize", { decision: "approve" });
  return new URL(approved.headers.location ?? "");
}

test.each([
  ["reserved ASCII", "&=?#%+/:;@ !'()*~\"<>[]{}|^`$,".repeat(200).slice(0, 4_000)],
  ["umlauts", "ä".repeat(2_000)],
  ["plain text", "s".repeat(4_000)],
])(
  "the longest state, of %s, returns byte for byte through sign-in and sign-up (O19)",
  async (_of, state) => {
    const app = await createClientApp();
    const member = await createMember();
    const request = authorizePath(app, { state });
    const back = await comeBack(new Browser(), request, member);
    expect(back.searchParams.get("state")).toBe(state);
    expect(back.searchParams.getAll("state")).toHaveLength(1);
    const stranger = new Browser();
    const shown = await stranger.get((await stranger.get(request)).headers.location ?? "");
    const [, link = ""] = /href="(\/signup[^"]*)"/.exec(shown.html) ?? [];
    const form = await stranger.get(link.replaceAll("&amp;", "&"));
    expect(formsIn(form.html, ORIGIN)[0]?.fields.next).toBe(request);
  },
);

test("a state too long for any URL gets a page (O19)", async () => {
  const app = await createClientApp();
  const { browser } = await createMember();
  const reply = await browser.get(authorizePath(app, { state: "\u20ac".repeat(1_400) }));
  expect([reply.status, reply.headers.location]).toEqual([400, undefined]);
  expect(reply.html).toContain("state: at most 12000 bytes");
});

test("a user can switch to their own account and return to the same request", async () => {
  const app = await createClientApp();
  const [ana, ben] = [await createMember(), await createMember()];
  const request = authorizePath(app, { state: "a b&c=d" });
  const consent = await ana.browser.get(request);
  expect(consent.html).toContain(`Not ${ana.username}?`);
  const left = await send(ana.browser, consent, "/signout");
  expect([left.status, left.headers.location]).toEqual([
    303,
    `/signin?${new URLSearchParams({ next: request })}`,
  ]);
  const back = await comeBack(ana.browser, request, ben);
  expect([back.searchParams.get("state"), back.searchParams.has("code")]).toEqual(["a b&c=d", true]);
  expect((await ana.browser.get("/settings")).html).toContain(ben.username);
});

test("signing out leads only to our own pages", async () => {
  const { browser, email } = await createMember();
  for (const next of ["https://evil.example", "//evil.example", "javascript:alert(1)"]) {
    const reply = await browser.submit("/settings", "/signout", { next });
    expect([reply.status, reply.headers.location]).toEqual([303, "/signin?next=%2Fsettings"]);
    await signIn(browser, email);
  }
});

test("the older /connect on the API's host redirects to the site's host with its query", async () => {
  const query = "client_id=abc&redirect_uri=https%3A%2F%2Fclient.example%2Fcb&response_type=code&state=%26";
  const reply = await fetch(`${stack.urls.older}/connect?${query}`, { redirect: "manual" });
  expect([reply.status, reply.headers.get("Location")]).toEqual([303, `${ORIGIN}/connect?${query}`]);
  expect(reply.headers.get("Deprecation")).toMatch(/^@\d+$/);
  expect(reply.headers.get("Access-Control-Allow-Origin")).toBeNull();
});
