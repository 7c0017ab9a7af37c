import { afterAll, beforeAll, expect, test } from "vitest";
import { createUserWithPassword } from "../support/people.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { signInByForm } from "./sign-in.ts";
import { startSiteHosts } from "./site-hosts.ts";

const browser = launchBrowser();
let hosts: Awaited<ReturnType<typeof startSiteHosts>>;
beforeAll(async () => {
  hosts = await startSiteHosts();
});
afterAll(() => hosts?.stop());

test("an owner credits an artist, who accepts in the news, and the track then links them", async () => {
  const [ana, ben] = [await createUserWithPassword(), await createUserWithPassword()];
  const track = await finishedTrack(ana, { title: "Harbour Lights" });
  const path = new URL(track.permalink_url).pathname;
  const owner = await browser.visit(`${hosts.web}/session/new?next=${path}/edit`, {
    viewport: { width: 390, height: 844 },
  });
  await signInByForm(owner.page, ana);
  await owner.page.getByText("Credits", { exact: true }).click();
  await owner.page.getByLabel("Name of credit 1").fill("Ben at the Harbour");
  await owner.page.getByLabel("Role of credit 1").selectOption("Remixer");
  await owner.page.getByLabel("User of credit 1").fill(`@${ben.username}`);
  expect([await overflow(owner.page), await faultsOfAccess(owner.page)]).toEqual([0, []]);
  await owner.page.getByRole("button", { name: "Save" }).click();
  await owner.page.getByText("Remixed by Ben at the Harbour").waitFor();

  const artist = await browser.visit(`${hosts.web}/session/new?next=/you/notifications`, {
    viewport: { width: 390, height: 844 },
  });
  await signInByForm(artist.page, ben);
  await artist.page.getByText("named you as remixer of").waitFor();
  expect([await overflow(artist.page), await faultsOfAccess(artist.page)]).toEqual([0, []]);
  await artist.page.getByRole("button", { name: "Accept the credit on Harbour Lights" }).click();
  await artist.page.getByRole("button", { name: "Withdraw the credit on Harbour Lights" }).waitFor();

  await artist.page.goto(`${hosts.web}${path}`);
  await artist.page.getByRole("link", { name: "Ben at the Harbour" }).click();
  await artist.page.getByRole("heading", { name: "Appears on" }).waitFor();
  await artist.page.getByRole("link", { name: "Harbour Lights", exact: true }).waitFor();
  await artist.page.goto(`${hosts.web}/you/credits`);
  await artist.page.getByText("named you as remixer").waitFor();
  expect([await overflow(artist.page), await faultsOfAccess(artist.page)]).toEqual([0, []]);
  expect([owner.complaints, artist.complaints]).toEqual([[], []]);
});
