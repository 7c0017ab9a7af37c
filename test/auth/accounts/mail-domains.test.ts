import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser, PASSWORD, uniqueName } from "../../support/browser.ts";
import { startSecondWorker } from "../../support/second-worker.ts";
import { sql, stack } from "../../support/stack.ts";

let choosy: Awaited<ReturnType<typeof startSecondWorker>>;
beforeAll(async () => {
  choosy = await startSecondWorker(() => ({
    MAIL_DOMAINS_ALLOWED: "School.example, münchen.example",
    MAIL_DOMAINS_REFUSED: "guests.school.example",
    SIGN_UPS_PER_HOUR: "off",
  }));
});
afterAll(() => choosy.stop());

const visitor = () => new Browser(undefined, stack.urls.api, String(choosy.port));

const signUp = (browser: Browser, email: string) =>
  browser.submit("/signup", "/signup", { username: uniqueName(), email, password: PASSWORD });

test.each(["school.example", "SCHOOL.Example", "art.school.example", "xn--mnchen-3ya.example"])(
  "303: an address at %s",
  async (domain) => {
    expect((await signUp(visitor(), `${uniqueName()}@${domain}`)).status).toBe(303);
  },
);

test.each([
  ["elsewhere.example", "must be at school.example or xn--mnchen-3ya.example"],
  ["oldschool.example", "must be at school.example or"],
  ["school.example.elsewhere.example", "must be at school.example or"],
  ["guests.school.example", "is at guests.school.example, which is not accepted here"],
  ["x.GUESTS.school.example", "is at x.guests.school.example, which is not accepted here"],
])("422: an address at %s, at sign-up and when the address changes", async (domain, words) => {
  const browser = visitor();
  const refused = `${uniqueName()}@${domain}`;
  const atSignUp = await signUp(browser, refused);
  expect([atSignUp.status, atSignUp.html]).toEqual([422, expect.stringContaining(`E-mail address ${words}`)]);
  const email = `${uniqueName()}@school.example`;
  expect((await signUp(browser, email)).status).toBe(303);
  await sql("update accounts set confirmed_at = now() where email = $1", [email]);
  const change = { email: refused, current_password: PASSWORD };
  const atChange = await browser.submit("/settings", "/settings/email", change);
  expect([atChange.status, atChange.html]).toEqual([422, expect.stringContaining(words)]);
});
