import { expect, test } from "vitest";
import { hashSecret } from "../../../functions/lib/security/random.ts";
import {
  authorizePath,
  ConsentBrowser,
  createClientApp,
  createVisitor,
  exchange,
  HTTPS_CALLBACK,
  linkToApp,
  signedInBrowser,
} from "../../support/consent.ts";
import { sql, stack } from "../../support/stack.ts";

test("a signed-out user goes to sign-in with the request to return to and no secret (O1)", async () => {
  const app = await createClientApp();
  const path = authorizePath(app);
  const reply = await new ConsentBrowser().get(path);
  expect(reply.status).toBe(303);
  const location = new URL(reply.location ?? "");
  expect(location.origin + location.pathname).toBe(`${stack.urls.api}/signin`);
  expect(location.searchParams.get("next")).toBe(path);
  expect(reply.location).not.toMatch(/[?&](code|access_token)=/);
});

test("approval redirects to the registered address by 303 with a working code, state and issuer (O2, O33, O36)", async () => {
  const app = await createClientApp();
  const { user, browser } = await createVisitor();
  const state = "a b+c/ü?&=#%";
  const reply = await browser.approve(authorizePath(app, { state }));
  expect(reply.status).toBe(303);
  expect(reply.location?.startsWith(`${HTTPS_CALLBACK}?code=ac_`)).toBe(true);
  expect([...reply.parameters.keys()]).toEqual(["code", "state", "iss"]);
  expect(reply.parameters.get("state")).toBe(state);
  const metadata = await (await fetch(`${stack.urls.api}/.well-known/oauth-authorization-server`)).json();
  expect(reply.parameters.get("iss")).toBe((metadata as { issuer: string }).issuer);

  const tokens = await exchange(app, reply.parameters.get("code") ?? "");
  expect(tokens.status).toBe(200);
  const { access_token } = (await tokens.json()) as { access_token: string };
  const me = await fetch(`${stack.urls.api}/me`, { headers: { Authorization: `OAuth ${access_token}` } });
  expect(((await me.json()) as { id: number }).id).toBe(user.id);
});

test("a code is stored hashed, for a minute, together with the consent", async () => {
  const app = await createClientApp();
  const { user, browser } = await createVisitor();
  const { parameters } = await browser.approve(authorizePath(app));
  const [row] = await sql<{ seconds: number; consented: boolean }>(
    `select extract(epoch from expires_at - created_at)::float8 as seconds,
       exists (select from consents c where c.user_id = $2 and c.app_id = $3) as consented
     from authorization_codes where hash = $1`,
    [hashSecret(parameters.get("code") ?? ""), user.id, app.id],
  );
  expect(row).toEqual({ seconds: 60, consented: true });
});

test("refusal returns access_denied, state and issuer, and creates no code (O3, O36)", async () => {
  const app = await createClientApp();
  const { browser } = await createVisitor();
  const form = await browser.form(authorizePath(app));
  const reply = await browser.submit(form, { decision: "deny" });
  expect(reply.status).toBe(303);
  expect(reply.parameters.get("error")).toBe("access_denied");
  expect(reply.parameters.get("state")).toBe("st");
  expect(reply.parameters.get("iss")).toBe(stack.urls.api);
  expect(reply.parameters.has("code")).toBe(false);
  expect(await codesOf(app.id)).toBe(0);
  expect((await browser.submit(form, { decision: "maybe" })).status).toBe(400);
});

const codesOf = async (appId: number) => {
  const [row] = await sql<{ count: number }>(
    "select count(*)::int as count from authorization_codes where app_id = $1",
    [appId],
  );
  return row?.count;
};

test("a form from another page or session creates no code (O24)", async () => {
  const app = await createClientApp();
  const { user, browser } = await createVisitor();
  const path = authorizePath(app);
  const approve = { decision: "approve" };
  const form = await browser.form(path);
  const other = await signedInBrowser(user);
  const otherForm = await other.form(path);
  const changed = await browser.form(authorizePath(app, { state: "other" }));
  const refused = [
    await browser.post(path, approve),
    await browser.post(path, { ...approve, form_token: "" }),
    await browser.post(path, { ...approve, form_token: `${form.fields.form_token}x` }),
    await browser.post(path, { ...approve, ...otherForm.fields }),
    await browser.post(path, { ...approve, ...changed.fields }),
    await new ConsentBrowser().post(path, { ...approve, ...form.fields }),
    await browser.submit(form, approve, { Origin: "https://evil.example" }),
    await browser.submit(form, approve, { "Sec-Fetch-Site": "cross-site" }),
  ];
  for (const reply of refused) {
    expect(reply.status).toBe(403);
    expect(reply.headers.get("Content-Type")).toMatch(/^text\/html/);
    expect(reply.location).toBeNull();
  }
  expect(await codesOf(app.id)).toBe(0);
  expect((await browser.submit(form, approve)).status).toBe(303);
});

test("a form for a redirect URI that the app has removed since gets no code", async () => {
  const app = await createClientApp();
  const { browser } = await createVisitor();
  const form = await browser.form(authorizePath(app));
  await sql("update apps set redirect_uris = '{https://elsewhere.example/cb}' where id = $1", [app.id]);
  const reply = await browser.submit(form, { decision: "approve" });
  expect([reply.status, reply.location, await codesOf(app.id)]).toEqual([400, null, 0]);
});

test("a form creates one code, however often and fast it is sent (O24)", async () => {
  const app = await createClientApp();
  const { browser } = await createVisitor();
  const form = await browser.form(authorizePath(app));
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => browser.submit(form, { decision: "approve" })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(403)]);
  expect((await browser.submit(form, { decision: "approve" })).status).toBe(403);
  expect(await codesOf(app.id)).toBe(1);
});

test("a disabled app counts as unknown; a disabled user gets a page first, then an error for their form (O23)", async () => {
  const app = await createClientApp();
  const { user, browser } = await createVisitor();
  const form = await browser.form(authorizePath(app));
  await sql("update users set disabled_at = now() where id = $1", [user.id]);
  const shownNow = await browser.get(authorizePath(app));
  expect([shownNow.status, linkToApp(shownNow).parameters.get("error")]).toEqual([400, "access_denied"]);
  expect((await browser.submit(form, { decision: "approve" })).parameters.get("error")).toBe("access_denied");

  const visitor = await createVisitor();
  const shown = await visitor.browser.form(authorizePath(app));
  await sql("update apps set disabled_at = now() where id = $1", [app.id]);
  for (const reply of [
    await visitor.browser.get(authorizePath(app)),
    await visitor.browser.submit(shown, { decision: "approve" }),
  ]) {
    expect(reply.status).toBe(400);
    expect(reply.location).toBeNull();
  }
});

test("a user who signed out after the page was shown cannot approve, and an earlier code is void (O48)", async () => {
  const app = await createClientApp();
  const { user, browser } = await createVisitor();
  const { parameters } = await browser.approve(authorizePath(app));
  const form = await browser.form(authorizePath(app));
  await sql("update site_sessions set revoked_at = now() where user_id = $1", [user.id]);
  expect((await browser.submit(form, { decision: "approve" })).status).toBe(403);
  const spent = await exchange(app, parameters.get("code") ?? "");
  expect([spent.status, ((await spent.json()) as { error: string }).error]).toEqual([400, "invalid_grant"]);
});

test("the page is shown each time, except for our own https app once allowed (O34)", async () => {
  const { browser } = await createVisitor();
  const stranger = await createClientApp();
  await browser.approve(authorizePath(stranger));
  expect((await browser.get(authorizePath(stranger))).status).toBe(200);

  const native = await createClientApp({ firstParty: true, redirectUris: ["com.example.app:/cb"] });
  await browser.approve(authorizePath(native));
  expect((await browser.get(authorizePath(native))).status).toBe(200);

  const ours = await createClientApp({ firstParty: true });
  expect((await browser.get(authorizePath(ours))).status).toBe(200);
  await browser.approve(authorizePath(ours));
  const skipped = await browser.get(authorizePath(ours));
  expect(skipped.status).toBe(303);
  expect((await exchange(ours, skipped.parameters.get("code") ?? "")).status).toBe(200);
  expect((await browser.get(authorizePath(ours, { scope: "read" }))).status).toBe(303);
  await sql("update consents set scope = 'read social' where app_id = $1", [ours.id]);
  for (const [scope, status] of [
    ["read", 303],
    ["social read", 303],
    ["read tracks", 200],
    ["*", 200],
    ["", 200],
  ] as const)
    expect([scope, (await browser.get(authorizePath(ours, { scope }))).status]).toEqual([scope, status]);
});

test("a statement repeated after a lost reply yields the same code; the form gives no second one", async () => {
  const app = await createClientApp();
  const { browser } = await createVisitor();
  const session = hashSecret(browser.cookie?.split("=")[1] ?? "");
  const decide = async (code: string) => {
    const [row] = await sql<{ outcome: string }>(
      `select decide_authorization($1, $2, $3, true, 'nonce of ' || $1, $4, 60, $5, null, '', null, true)->>'outcome' as outcome`,
      [app.client_id, session, JSON.stringify([HTTPS_CALLBACK]), code, HTTPS_CALLBACK],
    );
    return row?.outcome;
  };
  const code = hashSecret(app.client_secret);
  expect([await decide(code), await decide(code), await decide("another")]).toEqual([
    "approved",
    "approved",
    "replayed",
  ]);
  expect(await codesOf(app.id)).toBe(1);
});
