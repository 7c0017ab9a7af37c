import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createConfirmedMember, createMember, mailTo, PASSWORD } from "../../support/browser.ts";
import { waitingFor, whileHeld } from "../../support/open-transaction.ts";
import { createUser } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { make, PATH, VALID } from "./personal-tokens.support.ts";

const statusOf = async (token: string, scheme = "Bearer") =>
  (await fetch(`${stack.urls.api}/me`, { headers: { Authorization: `${scheme} ${token}` } })).status;

interface Refusal {
  type: string;
  errors: { error_message: string }[];
}

const errorOf = async (token: string) => {
  const { status, body } = await api.as({ token }).get<Refusal>("/me");
  return [status, body.type, body.errors[0]?.error_message];
};

const idsIn = (html: string) =>
  [...html.matchAll(/action="\/settings\/tokens\/(\d+)\/end"/g)].map(([, id]) => id);

test("a token is shown once, works in both schemes, and is listed until it is ended", async () => {
  const { browser, username } = await createMember();
  const token = await make(browser, { may_read: "", may_tracks: "on", may_profile: "on" });
  expect(decodeJwt(token.slice(3)).scope).toBe("tracks profile");
  expect((await browser.get(PATH)).html).toContain("never used");
  const days = (Number(decodeJwt(token.slice(3)).exp) - Date.now() / 1000) / 86_400;
  expect(days).toBeCloseTo(30, 2);
  const mine = api.as({ token });
  const changed = await mine.put<{ username: string }>("/me", {
    json: { user: { description: "by script" } },
  });
  expect([changed.status, changed.body.username]).toEqual([200, username]);
  expect([await statusOf(token), await statusOf(token, "OAuth")]).toEqual([403, 403]);

  const { html } = await browser.get(PATH);
  expect(html).not.toContain(token);
  expect(html).toMatch(
    /<strong>Nightly upload<\/strong><p class="hint">May only upload, .*; change your profile/,
  );
  const [id] = idsIn(html);
  const ended = await browser.submit(PATH, `${PATH}/${id}/end`);
  expect([ended.status, ended.headers.location]).toEqual([303, `${PATH}?notice=token-ended`]);
  const refused = await mine.put<Refusal>("/me", { json: { user: { description: "later" } } });
  expect([refused.status, refused.body.type, refused.body.errors[0]?.error_message]).toEqual([
    401,
    "revoked-token",
    expect.stringContaining("The personal token has ended"),
  ]);
  expect((await browser.get(`${PATH}?notice=token-ended`)).html).toContain("You have none.");
});

test("nothing of a token is stored but its session", async () => {
  const { browser, username } = await createMember();
  const token = await make(browser);
  const rows = await sql<{ row: string }>(
    `select row_to_json(s)::text as row from sessions s join users u on u.id = s.user_id where u.username = $1`,
    [username],
  );
  expect(rows).toHaveLength(1);
  for (const part of token.slice(3).split(".")) expect(rows[0]?.row).not.toContain(part);
});

test("everything includes apps; a token made for less cannot make any", async () => {
  const { browser, username } = await createMember();
  await sql("update users set plan = 'artist' where username = $1", [username]);
  const json = { name: "A name", redirect_uris: ["https://client.example/"] };
  const whole = api.as({ token: await make(browser, { "may_*": "on" }) });
  const made = await whole.post<{ id: number }>("/me/apps", { json });
  expect(made.status).toBe(201);
  expect((await whole.delete(`/me/apps/${made.body.id}`)).status).toBe(200);
  const all = Object.fromEntries(
    ["read", "tracks", "playlists", "social", "profile", "connections", "webhooks"].map((one) => [
      `may_${one}`,
      "on",
    ]),
  );
  expect((await api.as({ token: await make(browser, all) }).post("/me/apps", { json })).status).toBe(403);
});

test.each<[Record<string, string>, string]>([
  [{ name: " " }, "Name must not be empty"],
  [{ name: "x".repeat(101) }, "Name may have 100 characters at most"],
  [{ name: "\u0007" }, "Name contains characters that are not text"],
  [{ may_read: "" }, "What it may do needs at least one choice"],
  [{ days: "366" }, "Ends after"],
  [{ current_password: "" }, "Current password must not be empty"],
  [{ current_password: "wrong" }, "Current password is wrong"],
])("422: %j makes no token, and the form keeps the rest", async (wrong, words) => {
  const { browser } = await createMember();
  const reply = await browser.submit(PATH, PATH, { ...VALID, may_social: wrong.may_read ?? "on", ...wrong });
  expect(reply.status).toBe(422);
  expect(reply.html).toContain(words);
  if (!("may_read" in wrong)) expect(reply.html).toMatch(/<input[^>]*name="may_social"[^>]*checked/);
  expect((await browser.get(PATH)).html).toContain("You have none.");
});

test("the owner hears of a new token by mail, which says what it may do", async () => {
  const { browser, email } = await createConfirmedMember();
  await make(browser, { name: "<b>secret name</b>", days: "7" });
  const { text } = await mailTo(email, "A personal token was made");
  const end = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  expect(text).toContain(`It works until ${end}. May only see your profile`);
  expect(text).not.toContain("secret name");
});

test("all tokens end at once, and the webhooks that they made are switched off", async () => {
  const { browser } = await createMember();
  const tokens = [await make(browser), await make(browser, { may_webhooks: "on" })];
  const json = { url: "https://example.com/", events: ["comment.created"] };
  const hooks = api.as({ token: tokens[1] ?? "" });
  expect((await hooks.post("/me/webhooks", { json })).status).toBe(201);
  // Tokens of one user share the webhooks, as the sessions of an app do.
  const shared = await api
    .as({ token: tokens[0] ?? "" })
    .get<{ collection: unknown[] }>("/me/webhooks?linked_partitioning=1");
  expect(shared.body.collection).toHaveLength(1);
  expect((await browser.get("/settings")).html).toContain("</strong> for Personal tokens");
  await browser.submit(PATH, `${PATH}/end`);
  expect(await Promise.all(tokens.map((token) => statusOf(token)))).toEqual([401, 401]);
  expect((await browser.get("/settings")).html).toContain("Switched off with the app");
});

test("a new password ends tokens, signing out does not", async () => {
  const { browser, email } = await createMember();
  const token = await make(browser);
  await browser.submit("/settings", "/signout");
  expect(await statusOf(token)).toBe(200);
  await browser.submit("/signin", "/signin", { email, password: PASSWORD });
  const fields = { current_password: PASSWORD, new_password: "another correct horse" };
  await browser.submit("/settings", "/settings/password", fields);
  expect(await statusOf(token)).toBe(401);
});

test("nobody ends a stranger's token, and a signed-out browser is sent to sign in", async () => {
  const [ana, ben] = [await createMember(), await createMember()];
  const token = await make(ana.browser);
  await make(ben.browser);
  const [id] = idsIn((await ana.browser.get(PATH)).html);
  const [other] = idsIn((await ben.browser.get(PATH)).html);
  const swapped = await ben.browser.submit(PATH, `${PATH}/${other}/end`, {}, {});
  expect(swapped.status).toBe(303);
  expect((await ben.browser.post(`${PATH}/${id}/end`, {})).status).toBe(403);
  expect(await statusOf(token)).toBe(200);
  const { browser } = await createMember();
  await browser.submit("/settings", "/signout");
  const away = await browser.get(PATH);
  expect([away.status, away.headers.location]).toEqual([303, "/signin?next=%2Fsettings%2Ftokens"]);
});

test("the prefix belongs to the token, and no other token takes it", async () => {
  const { browser } = await createMember();
  const token = await make(browser);
  expect(await statusOf(token.slice(3))).toBe(401);
  expect(await statusOf(`pt_${(await createUser()).token}`)).toBe(401);
  expect(await statusOf(token)).toBe(200);
});

test("an expired token is named so", async () => {
  const { browser } = await createMember();
  const [header, payload = "", signature] = (await make(browser)).split(".");
  const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), exp: 1 };
  const expired = [header, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
  expect(await errorOf(expired)).toEqual([401, "expired-token", expect.stringContaining("/settings/tokens")]);
});

test("the export names tokens without their secrets, and the apps of others do not include them", async () => {
  const { browser } = await createMember();
  const token = await make(browser);
  const { html } = await browser.submit("/settings", "/settings/export");
  expect(html).not.toContain(token.slice(3));
  const { api_sessions, connected_apps } = JSON.parse(html);
  expect(api_sessions).toMatchObject([{ app: "Personal tokens", name: "Nightly upload", scope: "read" }]);
  expect(connected_apps).toEqual([]);
});

const addTokens = ({ id }: { id: number }, count: number) =>
  sql(
    `insert into sessions (app_id, user_id, scope, name, expires_at)
     select a.id, $1::bigint, 'read', 'old', now() + interval '1 day'
     from apps a, generate_series(1, $2) where a.client_id = 'personal'`,
    [id, count],
  );

test("a user has 50 tokens at most; ended ones make room", async () => {
  const ana = await createMember();
  const { browser } = ana;
  await addTokens(ana, 50);
  const full = await browser.submit(PATH, PATH, VALID);
  expect([full.status, full.html.includes("you have 50 tokens, so end one first")]).toEqual([422, true]);
  const [id] = idsIn(full.html);
  await browser.submit(PATH, `${PATH}/${id}/end`);
  expect(await statusOf(await make(browser))).toBe(200);
});

test("of two tokens that are made at the same moment, only one is the fiftieth", async () => {
  const ana = await createMember();
  await addTokens(ana, 49);
  const replies = await whileHeld(
    "select from accounts where user_id = $1 for update",
    [ana.id],
    async (client) => {
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      const asked = [1, 2].map(() => ana.browser.submit(PATH, PATH, VALID));
      await expect.poll(() => waitingFor(rows[0]?.pid)).toHaveLength(2);
      await client.query("commit");
      return Promise.all(asked);
    },
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(idsIn((await ana.browser.get(PATH)).html)).toHaveLength(50);
});

test("the app behind personal tokens opens by no other flow", async () => {
  const token = async (form: Record<string, string>) =>
    (await fetch(`${stack.urls.api}/oauth/token`, { method: "POST", body: new URLSearchParams(form) }))
      .status;
  const client = { client_id: "personal", client_secret: "" };
  expect(await token({ grant_type: "client_credentials", ...client })).toBe(401);
  expect(await token({ grant_type: "refresh_token", refresh_token: "x", client_id: "personal" })).toBe(401);
  const { browser } = await createMember();
  expect(
    (await browser.get("/authorize?client_id=personal&redirect_uri=https%3A%2F%2Fx.example")).status,
  ).toBe(400);
});
