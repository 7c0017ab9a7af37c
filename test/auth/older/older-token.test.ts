import { expect, test } from "vitest";
import { expectFiveLookedAt } from "../../attacks/guesses.ts";
import { authorizePath, createClientApp, exchange, signedInBrowser } from "../../support/consent.ts";
import { createUser, createUserWithPassword } from "../../support/people.ts";
import { sql, stack, workerLog } from "../../support/stack.ts";
import { randomAddress, token } from "./older-tokens.ts";

const me = async (access_token: unknown) =>
  fetch(`${stack.urls.api}/me`, { headers: { Authorization: `OAuth ${access_token}` } });

test("the password grant returns exactly access_token and scope, for address and username", async () => {
  const app = await createClientApp();
  const ana = await createUserWithPassword();
  for (const username of [ana.username, `${ana.username}@example.com`, ana.username.toUpperCase()]) {
    const form = { grant_type: "password", username, password: "correct horse battery", scope: "*" };
    const { status, body, headers } = await token(app, form);
    expect([status, Object.keys(body), body.scope]).toEqual([200, ["access_token", "scope"], "*"]);
    expect(headers.deprecation).toMatch(/^@\d+$/);
    expect(((await (await me(body.access_token)).json()) as { id: number }).id).toBe(ana.id);
  }
  const [consent] = await sql("select from consents where user_id = $1 and app_id = $2", [ana.id, app.id]);
  expect(consent).toBeDefined();
});

test("an app that was allowed to read may do everything once it got the password, as the settings say", async () => {
  const [app, ana] = [await createClientApp({ name: "Reader" }), await createUserWithPassword()];
  const browser = await signedInBrowser(ana);
  const allowed = async () =>
    /Reader<\/strong>.*?<p class="hint">(.*?)<\/p>/.exec((await browser.get("/settings")).text)?.[1];
  await browser.approve(authorizePath(app, { scope: "read" }));
  expect(await allowed()).toMatch(/^May only see your profile/);
  const form = { grant_type: "password", username: ana.username, password: "correct horse battery" };
  expect((await token(app, form)).body.scope).toBe("*");
  expect(await allowed()).toBe("May do everything.");
});

test("429: after five wrong passwords in fifteen minutes, before hashing, for existing and unknown accounts (O113, X85)", async () => {
  const app = await createClientApp();
  const ana = await createUserWithPassword();
  const refusals: unknown[] = [];
  for (const username of [`${ana.username}@example.com`, "nobody-at-all@example.com"]) {
    const address = randomAddress();
    const form = { grant_type: "password", username, password: "wrong" };
    const answers = await Promise.all(Array.from({ length: 8 }, () => token(app, form, { address })));
    const statuses = answers.map(({ status }) => status);
    expectFiveLookedAt(statuses, 400);
    refusals.push(answers.find(({ status }) => status === 400)?.body);
    const limited = await token(app, { ...form, password: "correct horse battery" }, { address });
    expect(limited.status).toBe(429);
    expect(Number(limited.headers["retry-after"])).toBeGreaterThan(800);
    expect(Number(limited.headers["retry-after"])).toBeLessThanOrEqual(900);
  }
  expect(refusals[0]).toEqual(refusals[1]);
  const elsewhere = await token(
    app,
    { grant_type: "password", username: ana.username, password: "correct horse battery" },
    { address: randomAddress() },
  );
  expect(elsewhere.status).toBe(200);
});

test("attempts share the limit of the sign-in page (O113)", async () => {
  const app = await createClientApp();
  const ana = await createUserWithPassword();
  const address = randomAddress();
  await sql(
    "insert into failures (bucket) select 'password ' || $1 || ' by name ' || $2 from generate_series(1, 5)",
    [String(ana.id), address],
  );
  const form = { grant_type: "password", username: ana.username, password: "correct horse battery" };
  expect((await token(app, form, { address })).status).toBe(429);
});

test("a disabled user or a wrong client secret gets nothing for the right password", async () => {
  const app = await createClientApp();
  const ana = await createUserWithPassword();
  const form = { grant_type: "password", username: ana.username, password: "correct horse battery" };
  const wrongSecret = await token(app, { ...form, client_secret: "cs_x" });
  expect([wrongSecret.status, wrongSecret.body.error]).toEqual([401, "invalid_client"]);
  await sql("update users set disabled_at = now() where id = $1", [ana.id]);
  const disabled = await token(app, form);
  expect([disabled.status, disabled.body.error]).toEqual([400, "invalid_grant"]);
});

test.each([
  { username: "a\tb", password: "x" },
  { username: "a".repeat(300), password: "x" },
  { username: "ana", password: "x".repeat(2000) },
])("malformed password grants are refused without a fault (%#)", async (given) => {
  const { status, body } = await token(await createClientApp(), { grant_type: "password", ...given });
  expect([status, body.error]).toEqual([400, "invalid_grant"]);
});

test("client credentials go in the form; the token reads and has no user", async () => {
  const app = await createClientApp();
  const { status, body } = await token(
    app,
    { grant_type: "client_credentials" },
    { address: randomAddress() },
  );
  expect([status, Object.keys(body)]).toEqual([200, ["access_token", "scope"]]);
  expect((await me(body.access_token)).status).toBe(401);
});

test("both token endpoints share the limits of client credentials", async () => {
  const app = await createClientApp();
  await sql(
    "insert into client_credentials_grants (app_id, address) select $1, '192.0.2.1' from generate_series(1, 50)",
    [app.id],
  );
  const { status, body, headers } = await token(app, { grant_type: "client_credentials" });
  expect([status, body.error_code, body.message]).toEqual([
    429,
    "rate_limit_exceeded",
    "rate_limit_exceeded",
  ]);
  expect(Number(headers["retry-after"])).toBeGreaterThan(43_000);
  expect(body.errors).toMatchObject([{ meta: { rate_limit: { bucket: "by-app", max_nr_of_requests: 50 } } }]);
});

test("a refresh token of the current endpoint rotates once at the older one", async () => {
  const app = await createClientApp();
  const browser = await signedInBrowser(await createUser());
  const { parameters } = await browser.approve(authorizePath(app));
  const tokens = (await (await exchange(app, parameters.get("code") ?? "")).json()) as {
    refresh_token: string;
  };
  const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  const { status, body } = await token(app, form);
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(["access_token", "expires_in", "refresh_token", "scope"]);
  expect((await me(body.access_token)).status).toBe(200);
  const again = await token(app, form);
  expect([again.status, again.body.error]).toEqual([401, "invalid_grant"]);
  expect((await me(body.access_token)).status).toBe(401);
});

test("errors have the form and status that older clients expect", async () => {
  const app = await createClientApp();
  const cases: [Record<string, string>, number, string][] = [
    [{ grant_type: "" }, 400, "invalid_request"],
    [{ grant_type: "implicit" }, 400, "unsupported_grant_type"],
    [{ grant_type: "authorization_code", code: "ac_x" }, 400, "invalid_grant"],
    [{ grant_type: "client_credentials", scope: "read" }, 401, "invalid_scope"],
    [{ grant_type: "client_credentials", client_secret: "" }, 401, "invalid_client"],
    [{ grant_type: "refresh_token", refresh_token: "rt_x" }, 401, "invalid_grant"],
  ];
  for (const [form, status, error] of cases) {
    const answer = await token(app, form);
    expect([answer.status, answer.body.error, answer.body.error_code]).toEqual([status, error, error]);
    expect(answer.body.errors).toEqual([{ error_message: expect.any(String) }]);
    expect(answer.headers.sunset).toBeDefined();
    expect(answer.headers["cache-control"]).toBe("no-store");
  }
});

test("credentials in the query of the token endpoint are refused", async () => {
  const { client_id, client_secret } = await createClientApp();
  const query = new URLSearchParams({ client_id, client_secret, grant_type: "client_credentials" });
  const reply = await fetch(`${stack.urls.api}/oauth2/token?${query}`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  expect(reply.status).toBe(401);
  expect(JSON.stringify(workerLog())).not.toContain(client_secret);
});
