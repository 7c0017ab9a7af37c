import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createComment } from "../api/comments/comments.support.ts";
import { createUser, createUserWithPassword } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow, tabTo } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";
import { openAsOperator } from "./operator.support.ts";
import { signInByForm } from "./sign-in.ts";

/** Text of twice the usual size, by a setting of the browser. */
const browser = launchBrowser("--blink-settings=defaultFontSize=32");
const at = (path: string) => stack.urls.web + path;
const PHONE = { viewport: { width: 390, height: 844 } };

const UNBROKEN = "Donaudampfschifffahrts".repeat(5);

async function reportComment(track: string): Promise<void> {
  const { page } = await browser.visit(track);
  await page.getByRole("link", { name: /^Report the comment by/ }).click();
  await page.getByLabel("What is wrong").selectOption("spam");
  await page.getByLabel("Details").fill("He sells harbours.");
  await page.getByRole("button", { name: /report/i }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
}

/** Reaches a link and follows it, by keyboard. */
async function follow(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press("Enter");
}

/** Opens the form of an act, gives a reason and sends it, by keyboard. */
async function act(page: Page, reason: string): Promise<void> {
  await follow(page, "main summary");
  await tabTo(page, "main details[open] [name=reason]");
  await page.keyboard.type(reason);
  await page.keyboard.press("Enter");
}

const isForAll = async (page: Page) => {
  expect([page.url(), await overflow(page), await faultsOfAccess(page)]).toEqual([page.url(), 0, []]);
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
};

test("by keyboard, with large text on a phone: a report leads to a comment's removal, its author answers, and it is restored", {
  timeout: 240_000,
}, async () => {
  const author = await createUserWithPassword();
  const { id, permalink_url: track } = await finishedTrack(await createUser(), { title: "Harbour" });
  const body = `Buy ${UNBROKEN}`;
  await createComment(author, { id }, { body, timestamp: 900 });
  await reportComment(track);

  const { page: operator, complaints } = await openAsOperator(browser, PHONE);
  await operator.goto(at("/admin/reports"));
  await follow(operator, "main a[href^='/admin/comments/']");
  await operator.getByRole("heading", { level: 1 }).filter({ hasText: "Comment" }).waitFor();
  await isForAll(operator);
  await act(operator, "It sells something");
  await operator.getByText("The owner has not answered.").waitFor();
  await isForAll(operator);
  const removal = operator.url();
  const { page: listener } = await browser.visit(track);
  expect(await listener.getByText(body).count()).toBe(0);

  const { page: owner, complaints: complaintsOfOwner } = await browser.visit(
    at("/session/new?next=/you/removals"),
    PHONE,
  );
  await signInByForm(owner, author);
  await owner.getByRole("heading", { name: "Removed" }).waitFor();
  await isForAll(owner);
  await follow(owner, "main a[href^='/you/removals/']");
  await owner.getByText("It sells something").waitFor();
  await isForAll(owner);
  for (const [name, words] of [
    ["statement", "It is a joke."],
    ["name", "Ben Example"],
    ["contact", "1 Example Street, +1 555 0100"],
  ]) {
    await tabTo(owner, `#answer-${name}`);
    await owner.keyboard.type(words ?? "");
  }
  for (const name of ["sworn", "consent"]) {
    await tabTo(owner, `#answer-${name}`);
    await owner.keyboard.press("Space");
  }
  await follow(owner, "main form button");
  await owner.getByText("It waits for a decision.").waitFor();
  await isForAll(owner);

  await operator.goto(at("/admin/removals"));
  await isForAll(operator);
  await follow(operator, `main a[href='${new URL(removal).pathname}']`);
  await operator.getByText("It is a joke.").waitFor();
  await isForAll(operator);
  await act(operator, "A joke indeed");
  await operator.getByText("Restored").first().waitFor();
  await owner.reload();
  await owner.getByText("A joke indeed").waitFor();
  await listener.reload();
  await listener.getByText(body).first().waitFor();
  await operator.goto(at("/admin/recent"));
  await isForAll(operator);
  expect([...complaints, ...complaintsOfOwner]).toEqual([]);
});
