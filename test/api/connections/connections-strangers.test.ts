import { expect, test } from "vitest";
import type { Connection } from "../../../functions/api/connections/representation.ts";
import { api } from "../../support/api.ts";
import {
  Browser,
  createMember,
  hiddenFields,
  type Member,
  PASSWORD,
  type PageReply,
} from "../../support/browser.ts";
import { createApp, tokenOf } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { BACK, begin, decide, stateIn } from "./connections.support.ts";

/** A user who begins in an app. Returns the path of the callback. */
async function createBeginner(form: Record<string, string> = {}) {
  const member = await createMember();
  const token = await tokenOf(await createApp(), member.username);
  const url = await decide((await begin({ token })).body.authorize_url, form);
  const { pathname, search } = new URL(url);
  const connected = async () => (await api.as({ token }).get<Connection[]>("/me/connections")).body.length;
  return { ...member, token, callback: pathname + search, state: stateIn(url), connected };
}

const linkIn = ({ html }: PageReply): string =>
  (/<a class="button" href="(\/signin[^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&");

async function signInFrom(
  browser: Browser,
  path: string,
  { email }: Pick<Member, "email">,
): Promise<PageReply> {
  const page = await browser.get(path);
  return browser.post("/signin", { ...hiddenFields(page.html, "/signin"), email, password: PASSWORD });
}

const SUCCESS = `${BACK}&success=true`;

test("a signed-out stranger connects nothing: a page names the account and asks", async () => {
  const ana = await createBeginner();
  const stranger = new Browser();
  for (let times = 0; times < 2; times++) {
    const page = await stranger.get(ana.callback);
    expect([page.status, page.headers.location]).toEqual([403, undefined]);
    expect(page.html).toContain(`Sign in as ${ana.username}`);
    expect(page.html).toContain("Is <q>");
    expect(page.html).not.toContain(BACK);
  }
  expect(await ana.connected()).toBe(0);
});

test("a user signed in under another account connects nothing and is told its name", async () => {
  const [ana, ben] = [await createBeginner(), await createMember()];
  const page = await ben.browser.get(ana.callback);
  expect([page.status, page.headers.location]).toEqual([403, undefined]);
  expect(page.html).toContain(`Signed in as ${ben.username}`);
  expect(page.html).toContain(`Sign in as ${ana.username}`);
  expect(await ana.connected()).toBe(0);
  expect(await sql("select from connections where user_id = $1", [ben.id])).toEqual([]);
});

test("the beginner's own browser continues without a question", async () => {
  const ana = await createBeginner();
  const page = await ana.browser.get(ana.callback);
  expect([page.status, page.headers.location]).toEqual([303, SUCCESS]);
  expect(await ana.connected()).toBe(1);
});

test("a signed-out beginner signs in from the page and continues", async () => {
  const ana = await createBeginner();
  const browser = new Browser();
  const asked = await browser.get(ana.callback);
  const signedIn = await signInFrom(browser, linkIn(asked), ana);
  expect(signedIn.status).toBe(303);
  expect(signedIn.headers.location).toMatch(/^\/connections\/callback\?/);
  const back = await browser.get(signedIn.headers.location ?? "");
  expect([back.status, back.headers.location]).toEqual([303, SUCCESS]);
  expect(await ana.connected()).toBe(1);
});

test("the policy of the sign-in page allows the redirect to the app", async () => {
  const ana = await createBeginner();
  const browser = new Browser();
  const page = await browser.get(linkIn(await browser.get(ana.callback)));
  expect(page.headers["content-security-policy"]).toContain("form-action 'self' https:");
});

test("a user signed in under another account switches accounts on the page and continues", async () => {
  const [ana, ben] = [await createBeginner(), await createMember()];
  const asked = await ben.browser.get(ana.callback);
  const left = await ben.browser.post("/signout", hiddenFields(asked.html, "/signout"));
  const signedIn = await signInFrom(ben.browser, left.headers.location ?? "", ana);
  expect((await ben.browser.get(signedIn.headers.location ?? "")).headers.location).toBe(SUCCESS);
  expect(await ana.connected()).toBe(1);
});

test("a user who signs in under a third account is asked again", async () => {
  const [ana, ben] = [await createBeginner(), await createMember()];
  const browser = new Browser();
  const signedIn = await signInFrom(browser, linkIn(await browser.get(ana.callback)), ben);
  const page = await browser.get(signedIn.headers.location ?? "");
  expect([page.status, page.headers.location]).toEqual([403, undefined]);
  expect(page.html).toContain(`Signed in as ${ben.username}`);
  expect(await ana.connected()).toBe(0);
});

test("the page forbids framing, caching and referrers", async () => {
  const ana = await createBeginner();
  const { headers } = await new Browser().get(ana.callback);
  expect(headers).toMatchObject({
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
  });
  expect(headers["content-security-policy"]).toContain("form-action 'self'");
});

test("no request from another site confirms: the callback accepts GET with the session only", async () => {
  const ana = await createBeginner();
  const forged = await new Browser().post(ana.callback, { confirm: "yes" });
  expect(forged.status).toBe(405);
  const other = await new Browser().post("/signout", { next: ana.callback });
  expect(other.status).toBe(403);
  expect(await ana.connected()).toBe(0);
});

test("a refusal by anyone but the beginner continues by a link, never by a redirect", async () => {
  const ana = await createBeginner({ decision: "deny" });
  const page = await new Browser().get(ana.callback);
  expect([page.status, page.headers.location]).toEqual([403, undefined]);
  expect(page.html).toContain("Nothing was connected");
  expect(page.html).toContain(`href="${`${BACK}&success=false`.replaceAll("&", "&amp;")}"`);
  expect(page.html).toContain("Back to client.example");
  const own = await ana.browser.get(ana.callback);
  expect(own.headers.location).toBe(`${BACK}&success=false`);
});

test("a username and an app's name appear as text", async () => {
  const ana = await createBeginner();
  await sql("update users set username = '<i>ana</i>' where id = $1", [ana.id]);
  await sql(
    `update apps set name = '<script>app</script>' where id = (
       select app_id from sessions where user_id = $1 order by id desc limit 1)`,
    [ana.id],
  );
  const { html } = await new Browser().get(ana.callback);
  expect(html).toContain("&lt;i&gt;ana&lt;/i&gt;");
  expect(html).toContain("&lt;script&gt;app&lt;/script&gt;");
  expect(html).not.toMatch(/<i>ana|<script>app/);
});

test("opening the page consumes nothing: the attempt waits for its beginner", async () => {
  const ana = await createBeginner();
  await new Browser().get(ana.callback);
  const rows = () =>
    sql<{ taken: boolean; verifier: number }>(
      `select taken_at is not null as taken, length(verifier_sealed) as verifier from connection_attempts a
       join sessions s on s.id = a.session_id where s.user_id = $1`,
      [ana.id],
    );
  expect(await rows()).toEqual([{ taken: false, verifier: expect.any(Number) }]);
  await ana.browser.get(ana.callback);
  expect(await rows()).toEqual([{ taken: true, verifier: 0 }]);
});
