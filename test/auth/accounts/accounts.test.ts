import { expect, test } from "vitest";
import {
  Browser,
  createConfirmedMember,
  createMember,
  linkIn,
  mailsTo,
  mailTo,
  PASSWORD,
  settingsStatus,
  signIn,
  uniqueName,
} from "../../support/browser.ts";
import { runCron, sql } from "../../support/stack.ts";

const signUp = (browser: Browser, fields: Record<string, string>) =>
  browser.submit("/signup", "/signup", {
    email: `${uniqueName()}@example.com`,
    password: PASSWORD,
    ...fields,
  });

const confirmedAt = async (id: number) =>
  (await sql<{ confirmed_at: Date | null }>("select confirmed_at from accounts where user_id = $1", [id]))[0]
    ?.confirmed_at;

test("signing up signs in, and the mail's link confirms the address, once or repeatedly", async () => {
  const { browser, id, email } = await createMember();
  const page = await browser.get("/settings");
  expect(page.status).toBe(200);
  expect(page.html).toContain(`<strong>${email}</strong> is not confirmed yet.`);
  const link = linkIn(await mailTo(email, "Confirm"));
  expect(link).toMatch(/^\/confirm\?token=mt_\w{43}$/);
  // Mail scanners follow links, so opening one confirms nothing.
  expect((await browser.get(link)).status).toBe(200);
  expect(await confirmedAt(id)).toBeNull();
  const elsewhere = new Browser();
  for (let times = 0; times < 2; times++) {
    const confirmed = await elsewhere.submit(link, "/confirm");
    expect(confirmed.status).toBe(200);
    expect(confirmed.html).toContain("Your address is confirmed");
  }
  expect(await confirmedAt(id)).not.toBeNull();
  expect((await browser.get("/settings")).html).toContain("is confirmed.");
});

test("a forged, expired or foreign token confirms nothing", async () => {
  const { id, email, browser } = await createMember();
  const link = linkIn(await mailTo(email, "Confirm"));
  await sql("update mail_tokens set expires_at = now() where user_id = $1", [id]);
  await browser.submit("/forgot", "/forgot", { email });
  const reset = linkIn(await mailTo(email, "new password")).replace("/reset", "/confirm");
  for (const path of [link, reset, `/confirm?token=mt_${"x".repeat(43)}`, "/confirm", "/confirm?token=%00"]) {
    expect((await browser.submit(path, "/confirm")).status, path).toBe(422);
  }
  expect(await confirmedAt(id)).toBeNull();
});

test.each([
  [{ username: "" }, "Username must not be empty"],
  [{ username: "x" }, "Username needs two letters or digits"],
  [{ username: "Settings" }, "Username is reserved"],
  [{ username: "x".repeat(51) }, "Username may have 50 characters at most"],
  [{ username: "two\nlines" }, "Username must be a single line"],
  [{ username: "nul\0" }, "Username contains characters that are not text"],
  [{ email: "nobody" }, "E-mail address must look like name@example.com"],
  [{ email: `${"x".repeat(250)}@example.com` }, "E-mail address may have 254 characters at most"],
  [{ password: "short" }, "Password needs 8 characters at least"],
  [{ password: "password1" }, "Password is among the first that attackers try"],
  [{ password: "x y".repeat(400) }, "Password may have 1024 bytes at most"],
] as const)("%j is refused with an explanation and the entered values", async (wrong, words) => {
  const username = uniqueName();
  const reply = await signUp(new Browser(), { username, ...wrong });
  expect(reply.status).toBe(422);
  expect(reply.html).toContain(words);
  expect(reply.html).toMatch(/role="alert" tabindex="-1" autofocus/);
  if (!("username" in wrong)) expect(reply.html).toContain(`value="${username}"`);
  expect(reply.html).not.toMatch(/type="password"[^>]* value=/);
  expect(reply.html).toMatch(/aria-invalid="true"/);
});

test("a name is taken regardless of case and accents, an address regardless of case (X106)", async () => {
  const { username, email } = await createMember();
  for (const name of [username, username.toUpperCase(), `${username}!`]) {
    expect((await signUp(new Browser(), { username: name })).html).toContain("Username is taken");
  }
  const again = await signUp(new Browser(), { username: uniqueName(), email: email.toUpperCase() });
  expect(again.status).toBe(422);
  expect(again.html).toContain("has an account already");
});

test("one of several parallel sign-ups with the same name succeeds", async () => {
  const username = uniqueName();
  const replies = await Promise.all(Array.from({ length: 3 }, () => signUp(new Browser(), { username })));
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
  const [{ users }] = (await sql<{ users: string }>(
    "select count(*) as users from users u join accounts a on a.user_id = u.id where permalink = $1",
    [username],
  )) as [{ users: string }];
  expect(users).toBe("1");
});

test("an address may sign up fifty times an hour; every reply states the rest (X71)", async () => {
  const browser = new Browser();
  const { email } = await createMember();
  const first = await signUp(browser.neighbour(), { username: uniqueName(), email });
  expect(first.status).toBe(422);
  expect(first.headers.ratelimit).toMatch(/^"sign-ups";r=49;t=3[56]\d\d$/);
  expect(first.headers["ratelimit-policy"]).toBe('"sign-ups";q=50;w=3600');
  await sql("update budgets set taken = 40 where bucket = $1", [`sign-ups ${browser.address}`]);
  const tries = Array.from({ length: 13 }, () =>
    signUp(browser.neighbour(), { username: uniqueName(), email }),
  );
  const replies = await Promise.all(tries);
  expect(replies.filter(({ status }) => status === 422)).toHaveLength(10);
  const limited = replies.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(3);
  for (const { headers, html } of limited) {
    expect(Number(headers["retry-after"])).toBeGreaterThan(3000);
    expect(headers.ratelimit).toMatch(/^"sign-ups";r=0;t=\d+$/);
    expect(html).toContain("Too many sign ups: 50 an hour are allowed");
  }
  // Others may still sign up from other addresses.
  await createMember();
});

test("a password reset gives every address the same reply, and its link works once (X71)", async () => {
  const { browser, email } = await createMember();
  const other = new Browser();
  const [known, unknown] = [
    await other.submit("/forgot", "/forgot", { email: email.toUpperCase() }),
    await other.submit("/forgot", "/forgot", { email: `${uniqueName()}@example.com` }),
  ];
  for (const reply of [known, unknown]) {
    expect([reply.status, reply.headers.location, reply.html]).toEqual([303, "/forgot/sent", ""]);
  }
  const link = linkIn(await mailTo(email, "new password"));
  const weak = await other.submit(link, "/reset", { password: "12345678" });
  expect(weak.status).toBe(422);
  const outcome = await other.submit(link, "/reset", { password: "another horse battery" });
  expect([outcome.status, outcome.headers.location]).toEqual([303, "/signin?notice=password-reset"]);
  expect((await other.submit(link, "/reset", { password: "a third horse battery" })).status).toBe(422);
  expect(await settingsStatus(browser)).toBe(303);
  expect((await signIn(new Browser(), email)).status).toBe(422);
  expect((await signIn(new Browser(), email, "another horse battery")).status).toBe(303);
});

test("a browser that resets the password of another account is signed out of its own for good", async () => {
  const [{ email }, other] = [await createMember(), await createMember()];
  const before = new Browser();
  for (const [name, value] of other.browser.cookies) before.cookies.set(name, value);
  await new Browser().submit("/forgot", "/forgot", { email });
  const link = linkIn(await mailTo(email, "new password"));
  const reset = await other.browser.submit(link, "/reset", { password: "another horse battery" });
  expect(reset.headers.location).toBe("/signin?notice=password-reset");
  expect([await settingsStatus(other.browser), await settingsStatus(before)]).toEqual([303, 303]);
});

test("the page after the request shows the typed address to its browser alone, and sends again", async () => {
  const { email } = await createMember();
  for (const typed of [email, `${uniqueName()}@example.com`]) {
    const browser = new Browser();
    await browser.submit("/forgot", "/forgot", { email: typed });
    expect((await browser.get("/forgot/sent")).html).toContain(`<strong>${typed}</strong> has an account`);
    const again = await browser.submit("/forgot/sent", "/forgot");
    expect([again.status, again.headers.location]).toEqual([303, "/forgot/sent"]);
  }
  await expect.poll(async () => (await mailsTo(email)).length).toBe(3);
  expect((await new Browser().get("/forgot/sent")).html).not.toContain("Send the mail again");
});

test("an account gets at most five reset mails an hour, and replies do not reveal it", async () => {
  const { email } = await createMember();
  for (let times = 0; times < 7; times++) {
    const reply = await new Browser().submit("/forgot", "/forgot", { email });
    expect(reply.headers.location).toBe("/forgot/sent");
  }
  await expect.poll(async () => (await mailsTo(email)).length).toBe(6);
  const from = new Browser();
  const asked = Array.from({ length: 12 }, () =>
    from.neighbour().submit("/forgot", "/forgot", { email: `${uniqueName()}@example.com` }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

test("an attacker with the password cannot prevent the owner's reset mail", async () => {
  const { email } = await createConfirmedMember();
  const thief = new Browser();
  await signIn(thief, email);
  const statuses: number[] = [];
  for (let times = 0; times < 6; times++) {
    const fields = { email: `${uniqueName()}@example.com`, current_password: PASSWORD };
    statuses.push((await thief.submit("/settings", "/settings/email", fields)).status);
  }
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
  const forgot = () => new Browser().submit("/forgot", "/forgot", { email });
  const links = async () => (await mailsTo(email)).filter(({ subject }) => subject.includes("new password"));
  for (let times = 0; times < 5; times++) await forgot();
  await expect.poll(async () => (await links()).length).toBe(5);
  const taken = { current_password: PASSWORD, new_password: "a thief's horse battery" };
  expect((await thief.submit("/settings", "/settings/password", taken)).status).toBe(303);
  await forgot();
  await expect.poll(async () => (await links()).length).toBe(6);
  const [newest = { to: "", subject: "", text: "" }] = await links();
  const reset = { password: "another horse battery" };
  expect((await new Browser().submit(linkIn(newest), "/reset", reset)).status).toBe(303);
  expect(await settingsStatus(thief)).toBe(303);
});

test("reset requests by strangers do not prevent the confirmation of an address", async () => {
  const { browser, email } = await createMember();
  for (let times = 0; times < 5; times++) await new Browser().submit("/forgot", "/forgot", { email });
  const again = await browser.submit("/settings", "/settings/confirmation");
  expect(again.headers.location).toBe("/settings?notice=mail-sent");
});

test("an address gets six confirmations an hour across all accounts that claim it; the owner's is delayed", async () => {
  const { browser, email } = await createMember();
  const ask = async (by: Browser) => (await by.submit("/settings", "/settings/confirmation")).status;
  const leave = () => browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  const claim = async (by: Browser) => (await signUp(by, { username: uniqueName(), email })).status;
  for (const sent of [3, 6]) {
    expect([await ask(browser), await ask(browser)]).toEqual([303, 303]);
    await expect.poll(async () => (await mailsTo(email)).length).toBe(sent);
    expect([(await leave()).status, await claim(browser)]).toEqual([303, 303]);
  }
  await leave();
  const owner = new Browser();
  expect([await claim(owner), await ask(owner)]).toEqual([303, 429]);
  const [waiting] = await sql<{ minutes: number }>(
    "select extract(epoch from next_attempt_at - now())::float8 / 60 as minutes from mails where recipient = $1",
    [email],
  );
  expect(Math.round((waiting?.minutes ?? 0) / 10)).toBe(6);
  expect(await mailsTo(email)).toHaveLength(6);
  await sql("update mails set next_attempt_at = now() - interval '1 minute' where recipient = $1", [email]);
  await runCron("* * * * *");
  await expect.poll(async () => (await mailsTo(email)).length).toBe(7);
  const [newest = { to: "", subject: "", text: "" }] = await mailsTo(email);
  expect((await owner.submit(linkIn(newest), "/confirm")).status).toBe(200);
});

test("one of several parallel uses of a link sets the password", async () => {
  const { email } = await createMember();
  await new Browser().submit("/forgot", "/forgot", { email });
  const link = linkIn(await mailTo(email, "new password"));
  const passwords = Array.from({ length: 3 }, (_, n) => `another horse battery ${n}`);
  const uses = passwords.map((password) => new Browser().submit(link, "/reset", { password }));
  const statuses = (await Promise.all(uses)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([303, 422, 422]);
  const won = passwords[statuses.indexOf(303)];
  expect((await signIn(new Browser(), email, won)).status).toBe(303);
});

test("the settings name the browser of each sign-up and sign-in, and which one this is", async () => {
  const firefox = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
  const phone = new Browser();
  const username = uniqueName();
  const email = `${username}@example.com`;
  await phone.submit("/signup", "/signup", { email, username, password: PASSWORD }, firefox);
  const other = new Browser();
  await other.submit("/signin", "/signin", { email, password: PASSWORD }, { "User-Agent": "Unheard/1.0" });
  const { html } = await other.get("/settings");
  expect(html).toMatch(/<strong>Unknown browser<\/strong><p class="hint">This browser\. /);
  expect(html).toMatch(/<strong>Firefox on Linux<\/strong><p class="hint">Signed in since/);
});
