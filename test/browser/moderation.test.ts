import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createUserWithPassword } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { createPlayableTrack, shortWav, uploadTrack, waitForEncode } from "../support/tracks.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, playsPast, position, tabTo } from "./browser.ts";
import { openAsOperator } from "./operator.support.ts";
import { bar } from "./player.ts";

const browser = launchBrowser();

/** Seconds. What was taken down is gone within a minute, buffers included, and much of the track is left. */
const SILENT_WITHIN_S = 60;
const LENGTH_S = 120;

/** Whether no sound came for three seconds. */
async function isSilent(page: Page): Promise<boolean> {
  const before = await position(page);
  await new Promise((wake) => setTimeout(wake, 3_000));
  return (await position(page)) === before;
}

async function report({ permalink_url }: Track): Promise<void> {
  const { page } = await browser.visit(permalink_url);
  await page.getByRole("link", { name: "Report", exact: true }).click();
  await page.getByLabel("What is wrong").selectOption("copyright");
  await page.getByLabel("Details").fill("I wrote this in 2019.");
  await page.getByRole("button", { name: /report/i }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
}

test("a listener's report leads to a takedown that is heard to stop, and the track is put back", {
  timeout: 300_000,
}, async () => {
  const ana = await createUserWithPassword();
  const { id } = await uploadTrack(ana, shortWav(LENGTH_S), { title: "Borrowed song" });
  const track = await waitForEncode(ana, id);
  const listener = (await browser.visit(track.permalink_url)).page;
  await listener.getByRole("main").getByRole("button", { name: "Play", exact: true }).first().click();
  await playsPast(listener, 1);
  await report(track);

  const { page, complaints } = await openAsOperator(browser);
  await page.getByRole("link", { name: "Open reports" }).click();
  await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
  const row = page.getByRole("listitem").filter({ hasText: `${ana.username}/` });
  expect(await row.textContent()).toContain("I wrote this in 2019.");
  await row.getByRole("link", { name: "Take it down" }).click();
  await page.getByRole("heading", { name: "Borrowed song" }).waitFor();
  await page.getByText("Take down…").click();
  await page.getByLabel("Reason").fill("A claim by its author");
  await page.getByRole("button", { name: "Take down" }).click();
  await page.getByText("track.take-down").waitFor();
  const takenDownAtS = await position(listener);
  await expect.poll(() => isSilent(listener), { timeout: 120_000 }).toBe(true);
  expect((await position(listener)) - takenDownAtS).toBeLessThan(SILENT_WITHIN_S);
  expect(await position(listener)).toBeLessThan(LENGTH_S - 10);
  expect(await bar(listener).textContent()).toContain("This track is no longer there.");

  await page.getByText("Put back…").click();
  await page.getByRole("button", { name: "Put back" }).click();
  await page.getByText("track.put-back").waitFor();
  await listener.goto(track.permalink_url);
  await listener.getByRole("main").getByRole("button", { name: "Play", exact: true }).first().click();
  await playsPast(listener, 1);
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
});

const UNBROKEN = "Donaudampfschifffahrts".repeat(8);

test("operators' pages fit 320 pixels, have no faults of access, and are worked by keyboard", {
  timeout: 240_000,
}, async () => {
  const ana = await createUserWithPassword();
  const track = await createPlayableTrack(ana, { title: UNBROKEN });
  // This title and the name below it are centred alike, so that their links are as close as they get.
  await createPlayableTrack(ana, { title: "A title of this size" });
  const words = `${UNBROKEN}@example.com`;
  await sql(
    `insert into mails (kind, recipient, state, next_attempt_at, failure, expires_at)
     select 'report', $1, 'failed', null, $1, 'infinity' from generate_series(1, 2)`,
    [words],
  );
  await sql(
    "insert into reports (target_kind, target_id, url, reason, details) values ('track', $1, $2, 'spam', $3)",
    [track.id, `${stack.urls.web}/${ana.username}/${UNBROKEN}`, words],
  );
  const { page, complaints } = await openAsOperator(browser, { viewport: { width: 320, height: 568 } });
  const gap = await page.evaluate<number>(
    "document.querySelector('#main h2').getBoundingClientRect().top - document.querySelector('#main dl').getBoundingClientRect().bottom",
  );
  expect(gap).toBeGreaterThan(16);
  const paths = ["", "/mails", "/quotas", `/users/${ana.id}`, `/users/${ana.id}/delete`, "/users", "/tracks"];
  for (const path of [...paths, `/tracks/${track.id}`, "/reports", "/log", "/jobs", "/apps"]) {
    await page.goto(`${stack.urls.web}/admin${path}`);
    expect([path, await overflow(page), await faultsOfAccess(page)]).toEqual([path, 0, []]);
    expect([path, await page.getByRole("heading", { level: 1 }).count()]).toEqual([path, 1]);
  }

  await page.goto(`${stack.urls.web}/admin/tracks/${track.id}`);
  await tabTo(page, "main summary");
  await page.keyboard.press("Enter");
  await tabTo(page, "main details[open] [name=reason]");
  await page.keyboard.type("A claim by its author");
  const operator = await page.locator("#player-bar").getAttribute("data-reader");
  const passed = (before: string) =>
    sql("update operator_entries set passed_at = now() - $1::interval where user_id = $2", [
      before,
      operator,
    ]);
  await passed("13 hours");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your last code was too long ago" }).waitFor();
  await passed("1 minute");
  // Leads back at once, because a code was entered meanwhile.
  await page.getByRole("link", { name: "Enter a code" }).click();
  const reason = page.locator("main details[open] [name=reason]");
  await expect.poll(() => reason.inputValue()).toBe("A claim by its author");
  complaints.length = 0;
  await reason.focus();
  await tabTo(page, "main details[open] button");
  await page.keyboard.press("Enter");
  await page.getByText("track.take-down").waitFor();
  await page.goto(`${stack.urls.web}/admin/users`);
  await tabTo(page, "main [type=search]");
  await page.keyboard.type(ana.username);
  await page.keyboard.press("Enter");
  await page.getByRole("main").getByRole("link", { name: ana.username, exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
