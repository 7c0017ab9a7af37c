import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createComment } from "../api/comments/comments.support.ts";
import { api } from "../support/api.ts";
import { PASSWORD, uniqueName } from "../support/browser.ts";
import { createUser } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { overflow, paused, playsPast } from "./browser.ts";
import { byKeyboard, byPointer } from "./hands.ts";
import { openJourneys } from "./journey.support.ts";
import { createSet, queued, titleInBar } from "./player.ts";

/** A listener with a phone finds, hears, becomes a member, talks and is told, where each host is a site of its own. */

const { browser, site } = openJourneys();

const RIGHT_TO_LEFT = "أغنية الصباح في المدينة القديمة";

const moveToEnd = (page: Page) =>
  page.evaluate("{ const a = document.querySelector('audio'); a.currentTime = a.duration - 0.4; }");

test.each([
  ["by pointer, in light colours", byPointer, "light"],
  ["by keyboard, in dark colours", byKeyboard, "dark"],
] as const)("a visitor with a phone becomes a member, %s", async (_, { press, write }, colorScheme) => {
  const ana = await createUser();
  const word = uniqueName();
  const titles = [`${RIGHT_TO_LEFT} ${word}`, `Low water ${word}`, `Ferry ${word}`];
  const { set, tracks } = await createSet(ana, titles);
  const title = `Lantern ${word}`;
  await api.as(ana).put(`/playlists/${set.id}`, { json: { playlist: { title } } });

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme };
  const { page, complaints } = await browser.visit(`${site().web}/`, phone);
  const main = page.getByRole("main");
  const isFit = async () => {
    await page.locator("html:not(.visiting)").waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await faultsOfAccess(page)).toEqual([]);
  };

  // Finds a set by a misspelt name.
  await press(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Search" }));
  await write(page.locator("#search"), `lantrn ${word}`);
  await page.keyboard.press("Enter");
  await page.getByText(`Showing results for “lantern ${word}”`).waitFor();
  await isFit();
  await press(main.getByRole("link", { name: title, exact: true }).first());
  await main.getByRole("heading", { level: 1, name: title }).waitFor();
  await isFit();

  // Hears it whole.
  await press(main.getByRole("button", { name: `Play ${title}`, exact: true }));
  for (const each of titles) {
    await expect.poll(() => titleInBar(page)).toBe(each);
    await playsPast(page, 0.1);
    await moveToEnd(page);
  }
  await expect.poll(() => paused(page)).toBe(true);

  // Builds a queue.
  await press(main.getByLabel(`More: ${titles[1]}`));
  await press(page.getByRole("button", { name: "Add to queue" }));
  await expect.poll(() => queued(page)).toEqual([...titles, titles[1]]);

  // Comments, and becomes a member for it.
  await press(main.getByRole("link", { name: titles[1], exact: true }).first());
  await main.getByRole("heading", { level: 1, name: titles[1] }).waitFor();
  await write(page.getByLabel("Your comment"), "Heard it twice");
  await page.keyboard.press("Enter");
  await press(page.getByRole("dialog").getByRole("link", { name: "Sign up" }));
  const username = `ben${word}`;
  await write(page.getByLabel("Username"), username);
  await write(page.getByLabel("E-mail address"), `${username}@example.com`);
  await write(page.getByLabel("Password", { exact: true }), PASSWORD);
  await press(page.getByRole("button", { name: "Create account" }));
  await page.locator(".comment").getByText("Heard it twice").waitFor();

  // Is told of the answer, and answers.
  const [comment] = await sql<{ id: number }>(
    "select id::float8 as id from comments where track_id = $1 and body like '%Heard it twice%'",
    [tracks[1]?.id],
  );
  await createComment(ana, { id: tracks[1]?.id ?? 0 }, { body: "Twice is right", parent_id: comment?.id });
  // The bell asks again after a minute.
  await page.clock.setSystemTime(Date.now() + 61_000);
  await page.reload();
  const bell = page.getByRole("link", { name: /^Notifications/ });
  await expect.poll(() => bell.locator(".bell-count").textContent()).toBe("1");
  await press(bell);
  await main.getByText("replied to you on").waitFor();
  await isFit();
  await press(main.getByRole("link", { name: "Twice is right" }));
  const answer = page.locator(".comment", { hasText: "Twice is right" }).last();
  await press(answer.getByRole("link", { name: `Reply to ${ana.username}` }));
  await write(page.locator("#reply-body"), "It is");
  await page.keyboard.press("Enter");
  await page.locator(".replies").getByText("It is", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
