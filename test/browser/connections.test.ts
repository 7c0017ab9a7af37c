import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Connection } from "../../functions/connections/representation.ts";
import { api } from "../support/api.ts";
import { aUser, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { aBrowser, overflow } from "./browser.ts";
import { anotherSite, keptBy, signInByForm } from "./signing-in.ts";

const browser = aBrowser();
const site = anotherSite();
let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = await Promise.all([aUser(), aUser()]);
});

async function begin(service: string, who = ana): Promise<string> {
  const json = { service, redirect_uri: site.address("/back?kept=1") };
  return (await api.as(who).post<{ authorize_url: string }>("/me/connections", { json })).body.authorize_url;
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

  test(`allowing at the other service leads back to the app, with several connections, ${how}`, async () => {
    const who = await aUser();
    const { page, complaints } = await browser.visit(await begin("facebook_profile", who), {
      javaScriptEnabled,
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

test("refusing there is told to the app", async () => {
  const { page, complaints } = await browser.visit(await begin("twitter"));
  await press(page, "Deny");
  await expectBack(page, false);
  expect(await namesOf(ana)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a service that fails is told to the app", async () => {
  const { page } = await browser.visit(await begin("twitter"));
  await page.getByLabel("What happens next").selectOption("rubbish");
  await press(page, "Allow");
  await expectBack(page, false);
  expect(await namesOf(ana)).toEqual([]);
});

test("an answer that was given already, or a forged one, ends at a page of ours", async () => {
  const { page } = await browser.visit(await begin("twitter"));
  const answered = page.waitForRequest(/\/connections\/callback/);
  await press(page, "Deny");
  const callback = (await answered).url();
  await expectBack(page, false);
  const arrived = site.arrived.length;
  for (const address of [callback, callback.replace(/state=[\w-]+/, `state=${"a".repeat(43)}`)]) {
    await page.goto(address);
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
    expect(page.url()).toBe(address);
    expect(await overflow(page)).toBe(0);
  }
  expect(site.arrived).toHaveLength(arrived);
});

test("whoever is signed in here as somebody else connects nothing to the account that began", async () => {
  const signingIn = await browser.visit(`${stack.urls.api}/signin`);
  await signInByForm(signingIn.page, ben);
  await signingIn.page.waitForURL("**/settings");
  const storageState = await keptBy(signingIn.page);
  const arrived = site.arrived.length;

  const { page } = await browser.visit(await begin("twitter", ana), { storageState });
  await press(page, "Allow");
  await page.getByRole("heading", { name: "Nothing was changed" }).waitFor();
  expect(site.arrived).toHaveLength(arrived);
  for (const who of [ana, ben]) expect(await namesOf(who)).toEqual([]);

  const own = await browser.visit(await begin("twitter", ben), { storageState });
  await press(own.page, "Allow");
  await expectBack(own.page, true);
  expect(await namesOf(ben)).toEqual(["twitter Ana Example"]);
});
