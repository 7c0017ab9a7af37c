import { beforeAll, expect, test } from "vitest";
import { PASSWORD } from "../support/browser.ts";
import { authorizePath, createClientApp } from "../support/consent.ts";
import { createUserWithPassword } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, looks, overflow, styleOf, tabTo } from "./browser.ts";
import { signInByForm, storageStateOf } from "./sign-in.ts";

const browser = launchBrowser();
let signedIn: Awaited<ReturnType<typeof storageStateOf>>;
const addresses: Record<string, string> = {
  "sign in": "/signin",
  "sign up": "/signup",
  "forgotten password": "/forgot",
  settings: "/settings",
  "personal tokens": "/settings/tokens",
};

beforeAll(async () => {
  const person = await createUserWithPassword();
  const unbroken = "Donaudampfschifffahrts".repeat(4).slice(0, 80);
  const app = await createClientApp({
    name: unbroken,
    redirectUris: [`https://${"long.".repeat(30)}example/cb`],
  });
  addresses.consent = authorizePath(app);
  addresses["consent of less"] = authorizePath(app, { scope: "read" });
  addresses["consent in a pop-up"] = authorizePath(app, { display: "popup" });
  addresses["not possible"] = authorizePath(app, { client_id: "unknown" });
  const { page } = await browser.visit(`${stack.urls.api}/signin`);
  await signInByForm(page, person);
  await page.waitForURL("**/settings");
  signedIn = await storageStateOf(page);
});

/** Correct complaints of browsers on these pages. */
const EXPECTED: Record<string, string> = { "not possible": "status of 400" };

const SIGNED_OUT = ["sign in", "sign up", "forgotten password"];
const SIGNED_IN = [
  "settings",
  "personal tokens",
  "consent",
  "consent of less",
  "consent in a pop-up",
  "not possible",
];

for (const [width, colorScheme] of looks(320, 1280)) {
  test.for([...SIGNED_OUT, ...SIGNED_IN])(
    `the page %s fits ${width} pixels, ${colorScheme}`,
    async (name) => {
      const { page, complaints } = await browser.visit(stack.urls.api + addresses[name], {
        viewport: { width, height: 640 },
        isMobile: width === 320,
        hasTouch: width === 320,
        colorScheme,
        ...(SIGNED_IN.includes(name) && { storageState: signedIn }),
      });
      expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
      expect(page.url()).toBe(stack.urls.api + addresses[name]);
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
      const background = await styleOf(page, "body", "backgroundColor");
      expect(background).toBe(colorScheme === "dark" ? "rgb(17, 18, 17)" : "rgb(251, 250, 247)");
      expect(complaints.filter((each) => !each.includes(EXPECTED[name] ?? "nothing"))).toEqual([]);
    },
  );
}

test("a token is refused, then made and copied, by keyboard alone", async () => {
  const path = `${stack.urls.api}/settings/tokens`;
  const { page } = await browser.visit(path, {
    storageState: signedIn,
    permissions: ["clipboard-read", "clipboard-write"],
    viewport: { width: 320, height: 640 },
  });
  await tabTo(page, "#token-name");
  await page.keyboard.type("Nightly");
  await tabTo(page, '[name="may_read"]');
  await page.keyboard.press("Space");
  await tabTo(page, "#token-current_password");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator("#token-problems:focus").waitFor();
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
  await tabTo(page, '[name="may_tracks"]');
  await page.keyboard.press("Space");
  await tabTo(page, "#token-current_password");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your new token" }).waitFor();
  const token = await page.locator("code.secret").textContent();
  expect(token).toMatch(/^pt_/);
  await tabTo(page, "copy-text button");
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(token);
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))");
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "Press Ctrl+C" }).waitFor();
  expect(await page.evaluate("String(getSelection())")).toBe(token);
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
  await tabTo(page, `a[href="/settings/tokens"]`);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "End Nightly" }).waitFor();
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
});

test("the home page leads to sign-in and sign-up, and a page for accounts to the account", async () => {
  const { page } = await browser.visit(`${stack.urls.api}/`);
  const lead = (name: string) => page.getByRole("link", { name, exact: true }).first().getAttribute("href");
  expect(await lead("Sign in")).toBe(`${stack.urls.api}/session/new?next=%2F`);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByRole("heading", { name: "Create an account" }).waitFor();
  await page.locator(".menu summary").click();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});
