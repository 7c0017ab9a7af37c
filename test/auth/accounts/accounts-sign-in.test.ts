import { expect, test } from "vitest";
import { expectFiveLookedAt } from "../../attacks/guesses.ts";
import { api } from "../../support/api.ts";
import {
  Browser,
  createMember,
  hiddenFields,
  PASSWORD,
  settingsStatus,
  signIn,
  uniqueName,
} from "../../support/browser.ts";
import { sql, stack } from "../../support/stack.ts";

const PORT = new URL(stack.urls.api).port;
const SID = `sid-${PORT}`;

test("the form redirects to the requested page by 303 (O33), and signing out ends the session", async () => {
  const { email } = await createMember();
  const browser = new Browser();
  const asked = await browser.get("/settings");
  expect([asked.status, asked.headers.location]).toEqual([303, "/signin?next=%2Fsettings"]);
  const reply = await signIn(browser, email, PASSWORD, "/settings?a=1");
  expect([reply.status, reply.headers.location]).toEqual([303, "/settings?a=1"]);
  expect(await settingsStatus(browser)).toBe(200);
  const open = await browser.get("/signin?next=/docs");
  expect([open.status, open.headers.location]).toEqual([303, "/docs"]);
  const savedCookies = new Map(browser.cookies);
  const out = await browser.submit("/settings", "/signout");
  expect([out.status, out.headers.location]).toEqual([303, "/signin?notice=signed-out"]);
  expect(browser.cookies.has(SID)).toBe(false);
  for (const [name, value] of savedCookies) browser.cookies.set(name, value);
  expect(await settingsStatus(browser)).toBe(303);
});

test("a token for the docs ends with its own sign-in, and with no other", async () => {
  const { browser, email } = await createMember();
  const other = new Browser();
  await signIn(other, email, PASSWORD);
  const tokenOf = async (who: Browser) =>
    /id="token">([^<]+)/.exec((await who.submit("/you/token", "/you/token")).html)?.[1] ?? "";
  const tokens = [await tokenOf(browser), await tokenOf(other)];
  const statuses = async () =>
    Promise.all(tokens.map(async (token) => (await api.as({ token }).get("/me")).status));
  expect(await statuses()).toEqual([200, 200]);
  await browser.submit("/settings", "/signout");
  expect(await statuses()).toEqual([401, 200]);
});

test("a token for the docs is sent to the docs only", async () => {
  const { browser } = await createMember();
  const ask = (next: string) =>
    browser.submit(`/you/token?${new URLSearchParams({ next })}`, "/you/token", { next });
  expect((await ask("/docs/tracks")).headers.location).toMatch(/\/docs\/tracks#access_token=/);
  for (const next of ["/docs/../authorize", "/docs/%2e%2e/authorize", "/docsx", "//docs"]) {
    const { status, headers } = await ask(next);
    expect([status, headers.location]).toEqual([200, undefined]);
  }
});

test.each(["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)"])(
  "next=%s leads to the default page (O28)",
  async (next) => {
    const { browser, email } = await createMember();
    const reply = await signIn(new Browser(), email, PASSWORD, next);
    expect([reply.status, reply.headers.location]).toEqual([303, "/settings"]);
    const signedIn = await browser.get(`/signin?${new URLSearchParams({ next })}`);
    expect(signedIn.headers.location).toBe("/settings");
    const page = await new Browser().get(`/signin?${new URLSearchParams({ next })}`);
    expect(page.html).not.toContain("evil");
    expect(page.html).not.toContain("javascript");
  },
);

test("signing in never continues an earlier session (O29)", async () => {
  const { browser, email } = await createMember();
  const attacker = new Browser();
  const fixed = `ss_${"A".repeat(43)}`;
  attacker.cookies.set(SID, fixed);
  expect((await signIn(attacker, email)).status).toBe(303);
  expect(attacker.cookies.get(SID)).not.toBe(fixed);
  const old = new Browser();
  old.cookies.set(SID, fixed);
  expect(await settingsStatus(old)).toBe(303);
  // The browser's own earlier session ends, too.
  const before = browser.cookies.get(SID) ?? "";
  const page = await new Browser().get("/signin");
  expect(page.status).toBe(200);
  const fresh = new Browser();
  await fresh.get("/signin");
  const signInPage = await fresh.get("/signin");
  fresh.cookies.set(SID, before);
  const bound = await fresh.post("/signin", {
    ...hiddenFields(signInPage.html, "/signin"),
    email,
    password: PASSWORD,
  });
  expect(bound.status).toBe(403);
  expect(await settingsStatus(browser)).toBe(200);
});

test("the cookie is bound to the host and hidden from scripts; locally its name includes the port (O30)", async () => {
  const { email } = await createMember();
  const { setCookies } = await signIn(new Browser(), email);
  expect(setCookies.toSorted()).toEqual([
    expect.stringMatching(
      new RegExp(`^device-${PORT}=[\\w-]+\\.[\\w-]{22}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax$`),
    ),
    expect.stringMatching(
      new RegExp(`^${SID}=ss_[\\w-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax$`),
    ),
  ]);
});

test("five of 20 parallel wrong passwords are checked, for existing and unknown accounts alike (O31)", async () => {
  const { email } = await createMember();
  const answers: string[][] = [];
  for (const tried of [email, `${uniqueName()}@example.com`]) {
    const browser = new Browser();
    const wrong = Array.from({ length: 20 }, () => signIn(browser.neighbour(), tried, "not the password"));
    const replies = await Promise.all(wrong);
    const limited = replies.filter(({ status }) => status === 429);
    const statuses = replies.map(({ status }) => status);
    expectFiveLookedAt(statuses, 422);
    expect(limited).not.toHaveLength(0);
    for (const { headers } of limited) {
      expect(Number(headers["retry-after"])).toBeGreaterThan(800);
      expect(Number(headers["retry-after"])).toBeLessThanOrEqual(900);
    }
    answers.push(limited.map(({ html }) => html));
    const right = await signIn(browser.neighbour(), tried);
    expect(right.status).toBe(429);
  }
  expect(new Set(answers.flat()).size).toBe(1);
  // The account still opens from another address.
  expect((await signIn(new Browser(), email)).status).toBe(303);
});

const fail = (bucket: string, times: number) =>
  sql("insert into failures (bucket) select $1 from generate_series(1, $2)", [bucket, times]);

test("twenty failures in an hour lock an account everywhere, a hundred lock an address", async () => {
  const { id, email } = await createMember();
  await fail(`password ${id}`, 20);
  const closed = await signIn(new Browser(), email);
  expect(closed.status).toBe(429);
  expect(Number(closed.headers["retry-after"])).toBeGreaterThan(3_000);
  const place = new Browser();
  await fail(`password from ${place.address}`, 100);
  expect((await signIn(place, (await createMember()).email)).status).toBe(429);
});

test("each failure from the sixth on locks the account for longer, from any address", async () => {
  const { id, email } = await createMember();
  const bucket = `password ${id}`;
  await fail(bucket, 5);
  expect((await signIn(new Browser(), email)).status).toBe(303);
  for (const [failures, waitS] of [
    [6, 1],
    [9, 8],
    [13, 128],
    [16, 300],
    [19, 300],
  ] as const) {
    await sql("delete from failures where bucket = $1", [bucket]);
    await fail(bucket, failures);
    // Half a minute ahead, so that the wait has not passed even on a slow machine.
    await sql("update failures set failed_at = now() + interval '30 seconds' where bucket = $1", [bucket]);
    const { status, headers } = await signIn(new Browser(), email);
    expect([failures, status]).toEqual([failures, 429]);
    expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(waitS);
    expect(Number(headers["retry-after"])).toBeLessThanOrEqual(waitS + 30);
  }
  await sql("update failures set failed_at = now() - interval '6 minutes' where bucket = $1", [bucket]);
  expect((await signIn(new Browser(), email)).status).toBe(303);
});

test("an attempt during the wait is refused before hashing and extends nobody's wait (X85)", async () => {
  const { id, email } = await createMember();
  // A cost that no machine could hash: an attempt would end in 500.
  const unbearable = `$scrypt$ln=30,r=8,p=1$${"c".repeat(22)}$${"c".repeat(43)}`;
  await sql("update accounts set password_hash = $2 where user_id = $1", [id, unbearable]);
  await fail(`password ${id}`, 12);
  for (let tries = 0; tries < 3; tries++)
    expect((await signIn(new Browser(), email, "not the password")).status).toBe(429);
  const [row] = await sql("select count(*)::int as failures from failures where bucket = $1", [
    `password ${id}`,
  ]);
  expect(row).toEqual({ failures: 12 });
});

test("a successful sign-in counts against no limit", async () => {
  const { email } = await createMember();
  const browser = new Browser();
  for (let times = 0; times < 7; times++) {
    expect((await signIn(browser.neighbour(), email)).status).toBe(303);
  }
});

test("an impossible password or address fails like any other, without a statement", async () => {
  const browser = new Browser();
  const fields = hiddenFields((await browser.get("/signin")).html, "/signin");
  for (const wrong of [
    { email: "", password: "" },
    { email: "a\0b@example.com", password: PASSWORD },
    { email: "a@example.com", password: "x".repeat(1025) },
    { email: `${"x".repeat(300)}@example.com`, password: PASSWORD },
  ]) {
    const reply = await browser.post("/signin", { ...fields, ...wrong });
    // Reads the reply's own header, because other tests sign in meanwhile.
    expect([reply.status, reply.headers["server-timing"]]).toEqual([422, undefined]);
    expect(reply.html).toContain("The e-mail address or the password is wrong.");
  }
});

test("a disabled user cannot sign in and gets the usual reply", async () => {
  const { id, email, browser } = await createMember();
  await sql("update users set disabled_at = now() where id = $1", [id]);
  expect(await settingsStatus(browser)).toBe(303);
  const reply = await signIn(new Browser(), email);
  expect(reply.status).toBe(422);
  expect(reply.html).toContain("is wrong");
});

test("cookies never authenticate the API (X70)", async () => {
  const { browser } = await createMember();
  for (const path of ["/me", "/me/tracks", "/tracks/1"]) expect((await browser.get(path)).status).toBe(401);
});
