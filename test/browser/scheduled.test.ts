import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword } from "../support/people.ts";
import { runCron, sql, stack } from "../support/stack.ts";

import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { signInByForm } from "./sign-in.ts";

const browser = launchBrowser();
const web = stack.urls.api;

test("an owner schedules a track in their own time zone, and a follower is told of it at its time alone", async () => {
  const [ana, fan] = [await createUserWithPassword(), await createUserWithPassword()];
  await api.as(fan).put(`/me/followings/${ana.id}`);
  const track = await finishedTrack(ana, { title: "Tide", sharing: "private" });
  await sql("update tracks set permalink = 'tide' where id = $1", [track.id]);
  const path = `/${ana.username}/tide`;
  const { page, complaints } = await browser.visit(`${web}/session/new?next=${path}/edit`, {
    timezoneId: "Asia/Tokyo",
    viewport: { width: 390, height: 844 },
  });
  await signInByForm(page, ana);
  const field = page.getByLabel("Publish at (Asia/Tokyo, UTC+09:00)");
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await field.fill(`${tomorrow}T20:15`);
  expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
  await page.getByRole("button", { name: "Save" }).click();
  const notice = page.getByText("Will be published on");
  await notice.waitFor();
  const topOf = async (of: Locator) => (await of.boundingBox())?.y ?? Number.NaN;
  expect(await topOf(notice)).toBeLessThan(await topOf(page.getByLabel("Your comment")));
  const { body } = await api.as(ana).get<Track>(`/tracks/${track.id}`);
  expect(body.publish_at).toBe(`${tomorrow}T11:15:00Z`);
  await page.goto(`${web}${path}/edit`);
  await expect.poll(() => field.inputValue()).toBe(`${tomorrow}T20:15`);
  await page.goto(`${web}/you/tracks`);
  await page.getByText(/Will be published on .* at 20:15 \(Asia\/Tokyo, UTC\+09:00\)/).waitFor();
  expect([await overflow(page), await faultsOfAccess(page), complaints]).toEqual([0, [], []]);

  const other = await browser.visit(`${web}/session/new?next=/you/notifications`);
  await signInByForm(other.page, fan);
  await other.page.getByText("Nothing yet.").waitFor();
  expect((await other.page.goto(web + path))?.status()).toBe(404);

  await sql("update tracks set publish_at = date_trunc('second', now()) where id = $1", [track.id]);
  await runCron("* * * * *");
  await other.page.goto(`${web}/you/notifications`);
  await other.page
    .getByRole("listitem")
    .filter({ hasText: `${ana.username} published Tide` })
    .waitFor();
  await other.page.getByRole("link", { name: "Tide" }).click();
  await other.page.getByRole("heading", { name: "Tide" }).waitFor();
});
