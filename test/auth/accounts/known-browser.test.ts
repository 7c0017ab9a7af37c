import { expect, test } from "vitest";
import { expectFiveLookedAt } from "../../attacks/guesses.ts";
import {
  Browser,
  createConfirmedMember,
  createMember,
  linkIn,
  type Member,
  mailTo,
  PASSWORD,
  settingsStatus,
  signIn,
} from "../../support/browser.ts";
import { invariantsHoldAfterwards } from "../../support/check-invariants.ts";
import { sql, stack } from "../../support/stack.ts";

invariantsHoldAfterwards();

const { port } = new URL(stack.urls.api);
const DEVICE = `device-${port}`;

/** Sign-in shows no form to a signed-in browser, so the cookie goes first. */
function signInAgain(browser: Browser, email: string, password?: string) {
  browser.cookies.delete(`sid-${port}`);
  return signIn(browser, email, password);
}
const WRONG = "not the password";

/** Simulates guesses that locked the account, and the owner's address. */
async function closeBy({ id, browser }: Pick<Member, "id" | "browser">): Promise<void> {
  for (const [bucket, times] of [
    [`password ${id}`, 20],
    [`password ${id} ${browser.address}`, 5],
    [`password from ${browser.address}`, 100],
  ])
    await sql("insert into failures (bucket) select $1 from generate_series(1, $2)", [bucket, times]);
}

test("guesses that lock an account do not lock out a browser that signed in before", async () => {
  const owner = await createMember();
  await owner.browser.submit("/settings", "/signout");
  expect(await settingsStatus(owner.browser)).toBe(303);
  await closeBy(owner);
  expect((await signIn(owner.browser.neighbour(), owner.email)).status).toBe(429);
  expect((await signIn(owner.browser, owner.email)).status).toBe(303);
  expect(await settingsStatus(owner.browser)).toBe(200);
});

test("a browser known by sign-in is not locked out either, like one known by sign-up", async () => {
  const { email, id } = await createMember();
  const browser = new Browser();
  await signIn(browser, email);
  await browser.submit("/settings", "/signout");
  await closeBy({ id, browser });
  expect((await signIn(browser, email)).status).toBe(303);
});

test("a known browser has five guesses of its own, which lock nothing elsewhere", async () => {
  const { browser, email } = await createMember();
  const elsewhere = new Browser();
  await signIn(elsewhere, email);
  await browser.submit("/settings", "/signout");
  const guesses = Array.from({ length: 12 }, () => signIn(browser, email, WRONG));
  expectFiveLookedAt(
    (await Promise.all(guesses)).map(({ status }) => status),
    422,
  );
  expect((await signIn(browser, email)).status).toBe(429);
  // Others at the same address share its limit.
  expect((await signIn(browser.neighbour(), email)).status).toBe(429);
  expect((await signInAgain(elsewhere, email)).status).toBe(303);
});

test("forged or old cookies, and those of another account, do not exempt a browser from the lock", async () => {
  const [owner, other] = [await createMember(), await createMember()];
  const own = owner.browser.cookies.get(DEVICE) ?? "";
  const theirs = other.browser.cookies.get(DEVICE) ?? "";
  const [payload = "", tag = ""] = own.split(".");
  const [, ...rest] = JSON.parse(Buffer.from(theirs.split(".")[0] ?? "", "base64url").toString());
  const forged = Buffer.from(JSON.stringify([owner.id, ...rest])).toString("base64url");
  await closeBy(owner);
  for (const value of [
    theirs,
    `${forged}.${theirs.split(".")[1]}`,
    `${payload}.${tag.startsWith("A") ? "B" : "A"}${tag.slice(1)}`,
    payload,
    "x",
  ]) {
    const browser = new Browser();
    browser.cookies.set(DEVICE, value);
    expect((await signIn(browser, owner.email)).status, value).toBe(429);
  }
  const thief = new Browser();
  thief.cookies.set(DEVICE, own);
  expect((await signIn(thief, owner.email)).status).toBe(303);
});

test("a new password makes every browser unknown except the one that set it", async () => {
  const owner = await createConfirmedMember();
  const elsewhere = new Browser();
  await signIn(elsewhere, owner.email);
  const changed = { current_password: PASSWORD, new_password: "another horse battery" };
  expect((await owner.browser.submit("/settings", "/settings/password", changed)).status).toBe(303);
  await closeBy(owner);
  expect((await signInAgain(elsewhere, owner.email, changed.new_password)).status).toBe(429);
  expect((await signInAgain(owner.browser, owner.email, changed.new_password)).status).toBe(303);

  await owner.browser.submit("/forgot", "/forgot", { email: owner.email });
  const link = linkIn(await mailTo(owner.email, "Choose a new password"));
  await new Browser().submit(link, "/reset", { password: "a third horse battery" });
  await closeBy(owner);
  expect((await signInAgain(owner.browser, owner.email, "a third horse battery")).status).toBe(429);
});

test("a signed-in user may change the password during others' guesses", async () => {
  const owner = await createMember();
  await closeBy(owner);
  const changed = { current_password: PASSWORD, new_password: "another horse battery" };
  expect((await owner.browser.submit("/settings", "/settings/password", changed)).status).toBe(303);
});
