import { afterAll, beforeAll, expect, test } from "vitest";
import { api, type ErrorReply } from "../../support/api.ts";
import { createMember, linkIn, mailTo, PASSWORD } from "../../support/browser.ts";
import { auth } from "../../support/oauth.ts";
import { operate } from "../../support/operate.ts";
import { createUser } from "../../support/people.ts";
import { startSecondWorker } from "../../support/second-worker.ts";
import { sql, stack } from "../../support/stack.ts";
import { EVERYTHING, make, PATH } from "./personal-tokens.support.ts";
import { signUpAt } from "./registration.support.ts";

/** Other parts of the service end personal tokens, or meet the app behind them. */

let strict: Awaited<ReturnType<typeof startSecondWorker>>;
beforeAll(async () => {
  strict = await startSecondWorker(() => ({ REGISTRATION: "confirm" }));
});
afterAll(() => strict.stop());

const me = async (token: string) => (await api.as({ token }).get("/me")).status;

const personalApp = async () => {
  const [app] = await sql<{ id: number }>("select id::float8 as id from apps where client_id = 'personal'");
  return app?.id ?? 0;
};

test("a suspension ends tokens for good, and nobody suspended makes any", async () => {
  const { browser, username } = await createMember();
  const token = await make(browser);
  await operate("user suspend", "--user", username, "--reason", "Spam");
  expect(await me(token)).toBe(401);
  expect((await browser.get(PATH)).headers.location).toBe("/signin?next=%2Fsettings%2Ftokens");
  await operate("user restore", "--user", username);
  expect(await me(token)).toBe(401);
});

test("a deleted account's tokens end at once", async () => {
  const { browser } = await createMember();
  const token = await make(browser, EVERYTHING);
  await browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  expect(await me(token)).toBe(401);
});

test("an operator's sign-out ends tokens, and no operator makes one or revokes the app of all of them", async () => {
  const { browser, username } = await createMember();
  const token = await make(browser);
  const revoking = operate("app revoke", "--app", "personal", "--reason", "Test");
  await expect(revoking).rejects.toThrow("service");
  expect(await me(token)).toBe(200);
  const making = operate("token create", "--app", "personal", "--user", username);
  await expect(making).rejects.toThrow("A user makes personal tokens alone");
  await operate("user sign-out", "--user", username);
  expect(await me(token)).toBe(401);
});

test("an unconfirmed account's token reads, and posts once the address is confirmed", async () => {
  const { browser, email } = await signUpAt(strict);
  const mine = api.as({ token: await make(browser, EVERYTHING) });
  const json = { playlist: { title: "Mine" } };
  const refused = await mine.post<ErrorReply & { link: string }>("/playlists", { json });
  expect([refused.status, refused.body.link]).toEqual([403, expect.stringMatching(/#confirmation-needed$/)]);
  expect((await mine.get("/me")).status).toBe(200);
  await browser.submit(linkIn(await mailTo(email, "Confirm")), "/confirm");
  expect((await mine.post("/playlists", { json })).status).toBe(201);
});

test("404: the app behind tokens is nobody's and is shown nowhere", async () => {
  const { browser } = await createMember();
  const mine = api.as({ token: await make(browser, EVERYTHING) });
  const id = await personalApp();
  const statuses = [
    await mine.get(`/apps/${id}`),
    await mine.delete(`/me/apps/${id}`),
    await mine.post(`/me/apps/${id}/secret`),
    await mine.get(`/resolve?url=${encodeURIComponent(`${stack.urls.api}/apps/personal.tokens`)}`),
  ].map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 404, 404]);
  expect((await browser.get("/apps/personal.tokens")).status).toBe(404);
  expect((await mine.get<unknown[]>("/me/apps")).body).toEqual([]);
});

test("401, 200: no client introspects a personal token or revokes it, and sign-out ends it", async () => {
  const { browser } = await createMember();
  const token = await make(browser);
  const app = await auth.createApp();
  expect((await auth.introspect(app, token)).body).toEqual({ active: false });
  const form = { client_id: app.client_id, client_secret: app.client_secret, token };
  expect((await auth.send("/oauth/revoke", { form })).status).toBe(200);
  const own = { client_id: "personal", client_secret: "x", token };
  expect((await auth.send("/oauth/revoke", { form: own })).status).toBe(401);
  expect(await me(token)).toBe(200);
  await auth.signOut(token);
  expect(await me(token)).toBe(401);
});

test("the older dialect takes a token in the query, with its limits and the way to another", async () => {
  const { browser } = await createMember();
  const token = await make(browser);
  expect((await api.get(`/me?oauth_token=${token}`)).status).toBe(200);
  const refused = await api.post<ErrorReply>(`/playlists?oauth_token=${token}`, {
    json: { playlist: { title: "x" } },
  });
  expect([refused.status, refused.body.errors[0]?.error_message]).toEqual([
    403,
    `This needs the scope playlists, and your token has: read. Make another at ${stack.urls.auth}${PATH}`,
  ]);
});

test("an Idempotency-Key repeats a reply for tokens of one user, and for nobody else", async () => {
  const { browser } = await createMember();
  const other = await createMember();
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const json = { playlist: { title: "Once" } };
  const post = async (token: string) =>
    (await api.as({ token }).post<{ id: number }>("/playlists", { json, headers })).body.id;
  const first = await post(await make(browser, EVERYTHING));
  expect(await post(await make(browser, { may_playlists: "on" }))).toBe(first);
  expect(await post(await make(other.browser, EVERYTHING))).not.toBe(first);
});

test("a webhook ends with the token that made it, and another token of its user switches it on again", async () => {
  const { browser, id } = await createMember();
  const first = api.as({ token: await make(browser, { may_webhooks: "on" }) });
  const second = api.as({ token: await make(browser, { may_webhooks: "on" }) });
  const json = { url: "https://hooks.example.com/", events: ["follow.created"] };
  const hook = (await first.post<{ id: number }>("/me/webhooks", { json })).body.id;
  const other = await second.post("/me/webhooks", { json: { ...json, url: "https://other.example.com/" } });
  expect(other.status).toBe(201);
  const endTheOlder = async () => {
    const [, ending = ""] =
      /[\s\S]*action="(.settings.tokens.\d+.end)"/.exec((await browser.get(PATH)).html) ?? [];
    await browser.submit(PATH, ending);
    await api.as(await createUser()).put(`/me/followings/${id}`);
  };
  const states = async () =>
    (await second.get<{ enabled: boolean }[]>("/me/webhooks")).body.map(({ enabled }) => enabled);

  await endTheOlder();
  await expect.poll(states).toEqual([true, false]);
  const again = await second.put<{ enabled: boolean }>(`/me/webhooks/${hook}`, { json: { enabled: true } });
  expect([again.status, again.body.enabled]).toEqual([200, true]);
  await endTheOlder();
  const reasons = () => sql("select disabled_reason as why from webhooks where user_id = $1", [id]);
  await expect.poll(reasons).toEqual([{ why: "access_ended" }, { why: "access_ended" }]);
});

test("webhooks of an ended token are switched off at the next event, though another token still reads", async () => {
  const { browser, id } = await createMember();
  const reading = await make(browser);
  const mine = api.as({ token: await make(browser, { may_webhooks: "on" }) });
  const json = { url: "https://hooks.example.com/", events: ["follow.created"] };
  const hook = await mine.post<{ id: number }>("/me/webhooks", { json });
  expect(hook.status).toBe(201);
  const [, ending = ""] = /action="(.settings.tokens.\d+.end)"/.exec((await browser.get(PATH)).html) ?? [];
  await browser.submit(PATH, ending);
  await api.as(await createUser()).put(`/me/followings/${id}`);
  const state = () => sql("select disabled_reason as why from webhooks where id = $1", [hook.body.id]);
  await expect.poll(state).toEqual([{ why: "access_ended" }]);
  expect((await api.as({ token: reading }).get("/me")).status).toBe(200);
});
