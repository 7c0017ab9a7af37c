import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Connection } from "../../functions/api/connections/representation.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { launchBrowser, overflow } from "./browser.ts";
import { signInByForm, startForeignSite, storageStateOf } from "./sign-in.ts";

const browser = launchBrowser();
const site = startForeignSite();
let ana: Person;
let ben: Person;
let storageState: Awaited<ReturnType<typeof storageStateOf>>;

beforeAll(async () => {
  [ana, ben] = await Promise.all([createUserWithPassword(), createUserWithPassword()]);
  storageState = await signedInHere(ana);
});

async function begin(service: string, who = ana): Promise<string> {
  const json = { service, redirect_uri: site.address("/back?kept=1") };
  return (await api.as(who).post<{ authorize_url: string }>("/me/connections", { json })).body.authorize_url;
}

/** Storage state of a browser with this user signed in. */
async function signedInHere(who: Person) {
  const { page } = await browser.visit(`${stack.urls.api}/signin`);
  await signInByForm(page, who);
  await page.waitForURL("**/settings");
  return storageStateOf(page);
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function expectBack(page: Page, success: boolean): Promise<void> {
  await page.getByRole("heading", { name: "Back at the app" }).waitFor();
  expect(page.url()).toBe(site.address(`/back?kept=1&success=${success}`));
}

const namesOf = async (who: Person) =>
  (await api.as(who).get<Connection[]>("/me/connections")).body
    .map(({ service, display_name }) => `${service} ${display_name}`)
    .sort();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with script" : "without script";

  test(`allowing at the other service returns to the app, with several connections, ${how}`, async () => {
    const who = await createUserWithPassword();
    const { page, complaints } = await browser.visit(await begin("facebook_profile", who), {
      javaScriptEnabled,
      storageState: await signedInHere(who),
    });
    await page.getByLabel("Your name there").fill("Ana & <b>");
    await page.getByLabel("Your pages there").fill("Band, Label");
    await press(page, "Allow");
    await expectBack(page, true);
    expect(await namesOf(who)).toEqual([
      "facebook_page Band",
      "facebook_page Label",
      "facebook_profile Ana & <b>",
    ]);
    expect(complaints).toEqual([]);
  });
}

test("the app learns of a refusal there", async () => {
  const { page, complaints } = await browser.visit(await begin("twitter"), { storageState });
  await press(page, "Deny");
  await expectBack(page, false);
  expect(await namesOf(ana)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the app learns of a failing service", async () => {
  const { page } = await browser.visit(await begin("twitter"), { storageState });
  await page.getByLabel("What happens next").selectOption("rubbish");
  await press(page, "Allow");
  await expectBack(page, false);
  expect(await namesOf(ana)).toEqual([]);
});

test("a repeated answer returns again, and a forged one ends at our own page", async () => {
  const { page } = await browser.visit(await begin("twitter"), { storageState });
  const answered = page.waitForRequest(/\/connections\/callback/);
  await press(page, "Deny");
  const callback = (await answered).url();
  await expectBack(page, false);
  await page.goto(callback);
  await expectBack(page, false);
  const arrived = site.arrived.length;
  const forged = callback.replace(/state=[\w-]+/, `state=${"a".repeat(43)}`);
  await page.goto(forged);
  await page.getByRole("heading", { name: "This link does not work" }).waitFor();
  expect(page.url()).toBe(forged);
  expect(await overflow(page)).toBe(0);
  expect(site.arrived).toHaveLength(arrived);
});

test("a user signed in here under another account connects nothing to the first one", async () => {
  const storageState = await signedInHere(ben);
  const arrived = site.arrived.length;

  const { page } = await browser.visit(await begin("twitter", ana), { storageState });
  await press(page, "Allow");
  await page.getByRole("heading", { name: new RegExp(`^Is .*${ana.username}.* your account\\?$`) }).waitFor();
  expect(site.arrived).toHaveLength(arrived);
  for (const who of [ana, ben]) expect(await namesOf(who)).toEqual([]);

  const own = await browser.visit(await begin("twitter", ben), { storageState });
  await press(own.page, "Allow");
  await expectBack(own.page, true);
  expect(await namesOf(ben)).toEqual(["twitter Ana Example"]);
});

test("the site begins a connection too, and shows it on its return", async () => {
  const cleo = await createUserWithPassword();
  const { page, complaints } = await browser.visit(`${stack.urls.api}/you/connections`, {
    storageState: await signedInHere(cleo),
  });
  await press(page, "Connect a profile at Twitter");
  await press(page, "Allow");
  await page.getByRole("status").getByText("Connected.").waitFor();
  await page.getByRole("heading", { name: "Ana Example at Twitter" }).waitFor();
  expect(await namesOf(cleo)).toEqual(["twitter Ana Example"]);
  expect(complaints).toEqual([]);
});

test("a signed-out user signs in from the asking page and ends at the app", async () => {
  const { page } = await browser.visit(await begin("twitter", ben));
  await press(page, "Allow");
  const signIn = page.getByRole("link", { name: `Sign in as ${ben.username}` });
  await signIn.waitFor();
  expect(await overflow(page)).toBe(0);
  await signIn.click();
  await signInByForm(page, ben);
  await expectBack(page, true);
});
