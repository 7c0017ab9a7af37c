import { expect, test } from "vitest";
import type { Webhook, WebhookWithSecret } from "../../../functions/api/webhooks/representation.ts";
import { api } from "../../support/api.ts";
import { createMember } from "../../support/browser.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { type App, createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { deliver, sql } from "../../support/stack.ts";
import {
  arrived,
  createRestingDelivery,
  createWebhook,
  deliveriesOf,
  EVENTS,
  pointer,
  startReceiver,
} from "./webhook-receiver.ts";

const throughApp = async (who: Person, app: App): Promise<Person> => ({
  ...who,
  app,
  token: await tokenOf(app, who.username),
});

/** One user in two apps, the first with a webhook. */
async function twoApps() {
  const [who, receiver, other] = [
    await createUser({ app: await createApp() }),
    await startReceiver(),
    await createApp(),
  ];
  const webhook = await createWebhook(who, receiver.url);
  return {
    who,
    elsewhere: await throughApp(who, other),
    webhook,
    ...receiver,
    path: `/me/webhooks/${webhook.id}`,
  };
}

const stateOf = async ({ id }: { id: number }) => {
  const [row] = await sql<{ enabled: boolean; disabled_reason: string | null }>(
    "select enabled, disabled_reason from webhooks where id = $1",
    [id],
  );
  return row;
};

const ENDED = { enabled: false, disabled_reason: "access_ended" };

/** Expects that neither pending nor new deliveries arrive. */
async function expectSilence(webhook: WebhookWithSecret, received: unknown[], resting: number) {
  await deliver("webhooks", [pointer(resting)]);
  expect(received).toEqual([]);
  expect(await stateOf(webhook)).toEqual(ENDED);
  expect(await sql("select state, next_attempt_at from webhook_deliveries where id = $1", [resting])).toEqual(
    [{ state: "failed", next_attempt_at: null }],
  );
}

test("another app of the same user cannot find, change, rotate, test, replay or delete it", async () => {
  const { who, elsewhere, webhook, path, url } = await twoApps();
  const delivery = await createRestingDelivery(webhook);
  const before = await sql("select * from webhooks where id = $1", [webhook.id]);
  const attempts: ["get" | "put" | "post" | "delete", string, object?][] = [
    ["get", path],
    ["put", path, { url: "https://attacker.example/" }],
    ["put", path, { url }],
    ["put", path, { enabled: false }],
    ["post", `${path}/secret`],
    ["post", `${path}/test`],
    ["get", `${path}/deliveries`],
    ["post", `${path}/deliveries/${delivery}/replay`],
    ["delete", path],
  ];
  for (const [method, address, json] of attempts) {
    const { status } = await api.as(elsewhere)[method](address, json && { json });
    expect([method, address, status]).toEqual([method, address, 404]);
  }
  expect((await api.as(elsewhere).get<Webhook[]>("/me/webhooks")).body).toEqual([]);
  expect(await sql("select * from webhooks where id = $1", [webhook.id])).toEqual(before);
  expect((await api.as(who).get<Webhook[]>("/me/webhooks")).body).toMatchObject([{ id: webhook.id }]);
});

test("two apps of a user may send to one address, each with its own webhook", async () => {
  const { who, elsewhere, webhook, url, received } = await twoApps();
  const other = await createWebhook(elsewhere, url);
  expect(other.id).not.toBe(webhook.id);
  await api.as(await createUser()).put(`/me/followings/${who.id}`);
  await arrived(received, 2);
  for (const [by, own] of [
    [who, webhook],
    [elsewhere, other],
  ] as const)
    expect((await deliveriesOf(by, own)).map(({ webhook_id }) => webhook_id)).toEqual([own.id]);
});

test("revoking an app ends its webhooks and pending deliveries at once, and no other app's", async () => {
  const { browser, username, id } = await createMember();
  const [gone, remaining] = [await createApp(), await createApp()];
  const [{ url, received }, elsewhere] = [await startReceiver(), await startReceiver()];
  const person = { id, username, app: gone, token: await tokenOf(gone, username) };
  const other = await throughApp(person, remaining);
  const [ended, standing] = [await createWebhook(person, url), await createWebhook(other, elsewhere.url)];
  const resting = await createRestingDelivery(ended);
  await browser.submit("/settings", `/settings/apps/${gone.id}/revoke`);
  await api.as(await createUser()).put(`/me/followings/${person.id}`);
  await arrived(elsewhere.received, 1);
  await expectSilence(ended, received, resting);
  expect(await stateOf(standing)).toEqual({ enabled: true, disabled_reason: null });
});

test("signing out of one session ends no webhook while the app has another session or a consent", async () => {
  const { who, webhook, received } = await twoApps();
  const second = await throughApp(who, who.app);
  const signOut = (token: string) => api.as({ token }).post("/sign-out", { json: { access_token: token } });
  expect((await signOut(who.token)).status).toBe(200);
  await deliver("webhooks", [pointer(await createRestingDelivery(webhook))]);
  await arrived(received, 1);
  await sql("insert into consents (user_id, app_id) values ($1, $2)", [who.id, who.app.id]);
  expect((await signOut(second.token)).status).toBe(200);
  await deliver("webhooks", [pointer(await createRestingDelivery(webhook))]);
  await arrived(received, 2);
  expect(await stateOf(webhook)).toMatchObject({ enabled: true });
});

test("a webhook ends with the last session of an app without consent", async () => {
  const { who, webhook, received } = await twoApps();
  const resting = await createRestingDelivery(webhook);
  await api.as(who).post("/sign-out", { json: { access_token: who.token } });
  await expectSilence(webhook, received, resting);
});

test("a webhook that thousands of deliveries wait for ends with its app's access piece by piece", async () => {
  const { who, webhook, received } = await twoApps();
  await sql(
    `insert into webhook_deliveries (webhook_id, event, data, dispatched_at)
     select $1, 'follow.created', '{}', now() + interval '1 hour' from generate_series(1, 10003)`,
    [webhook.id],
  );
  await api.as(who).post("/sign-out", { json: { access_token: who.token } });
  const waiting = () =>
    sql<{ id: number }>(
      "select id::float8 as id from webhook_deliveries where webhook_id = $1 and state = 'pending'",
      [webhook.id],
    );
  for (const left of [3, 0]) {
    const [one] = await waiting();
    await deliver("webhooks", [pointer(one?.id ?? 0)]);
    expect((await waiting()).length).toBe(left);
  }
  expect(received).toEqual([]);
  expect(await stateOf(webhook)).toEqual(ENDED);
});

test("a webhook ends when the last session expires", async () => {
  const { who, webhook, received } = await twoApps();
  const resting = await createRestingDelivery(webhook);
  await sql("update sessions set expires_at = now() where user_id = $1 and app_id = $2", [
    who.id,
    who.app.id,
  ]);
  await expectSilence(webhook, received, resting);
});

test.each(["users", "apps"])("disabling (%s) ends webhooks and keeps no deliveries", async (table) => {
  const { who, webhook, received } = await twoApps();
  const resting = await createRestingDelivery(webhook);
  const key = table === "users" ? who.id : who.app.id;
  await sql(`update ${table} set disabled_at = now() where id = $1`, [key]);
  await sql(`update ${table} set disabled_at = null where id = $1`, [key]);
  await expectSilence(webhook, received, resting);
});

test.each(["users", "apps"])("a webhook stays off that is turned on while %s are disabled", async (table) => {
  const { who, path } = await twoApps();
  const key = table === "users" ? who.id : who.app.id;
  const turnOn = () => api.as(who).put(path, { json: { enabled: true } });
  const { status } = await askDuring(`update ${table} set disabled_at = now() where id = $1`, [key], turnOn);
  expect(status).toBe(401);
  await sql(`update ${table} set disabled_at = null where id = $1`, [key]);
  expect((await api.as(who).get<Webhook>(path)).body).toMatchObject(ENDED);
});

test("deleting an app deletes its webhooks and pending deliveries", async () => {
  const { who, webhook, received } = await twoApps();
  const resting = await createRestingDelivery(webhook);
  await sql("delete from apps where id = $1", [who.app.id]);
  await deliver("webhooks", [pointer(resting)]);
  expect(received).toEqual([]);
  expect(await sql("select from webhook_deliveries where id = $1", [resting])).toEqual([]);
});

test("an app that is allowed again gets no deliveries until it enables its webhook", async () => {
  const { who, webhook, path, received } = await twoApps();
  await sql("select end_access($1, $2)", [who.id, who.app.id]);
  const back = await throughApp(who, who.app);
  await api.as(await createUser()).put(`/me/followings/${who.id}`);
  expect(await deliveriesOf(back, webhook)).toEqual([]);
  expect((await api.as(back).get<Webhook>(path)).body).toMatchObject(ENDED);
  await api.as(back).put(path, { json: { enabled: true } });
  await api.as(await createUser()).put(`/me/followings/${who.id}`);
  await arrived(received, 1);
});

test("the settings list the webhooks of all apps without their secrets, and end each", async () => {
  const { browser, username, id } = await createMember();
  const [one, two] = [await createApp(), await createApp()];
  const first = await throughApp({ id, username, app: one, token: "" }, one);
  const ended = await createWebhook(first, "https://one.example.com/hooks/secret-path?key=1", EVENTS);
  const standing = await createWebhook(await throughApp(first, two), "https://two.example.com/<b>", [
    "like.created",
  ]);
  const { html } = await browser.get("/settings");
  for (const shown of [
    "one.example.com",
    "two.example.com",
    "finished tracks, failed tracks, published tracks, comments",
    "likes",
  ])
    expect(html).toContain(shown);
  expect(html).not.toMatch(/secret-path|key=1|<b>|whsec_/);

  const foreign = await createMember();
  const form = { form_token: "made-up" };
  expect((await browser.post(`/settings/webhooks/${standing.id}/end`, form)).status).toBe(403);
  await expect(
    foreign.browser.submit("/settings", `/settings/webhooks/${standing.id}/end`),
  ).rejects.toThrow();

  const outcome = await browser.submit("/settings", `/settings/webhooks/${ended.id}/end`);
  expect([outcome.status, outcome.headers.location]).toEqual([303, "/settings?notice=webhook-ended"]);
  const after = await browser.get("/settings?notice=webhook-ended");
  expect(after.html).toContain("The webhook has ended");
  expect(after.html).not.toContain("one.example.com");
  expect(after.html).toContain("two.example.com");
  expect((await api.as(first).get(`/me/webhooks/${ended.id}`)).status).toBe(404);
  const again = await browser.submit("/settings", `/settings/webhooks/${standing.id}/end`);
  expect(again.status).toBe(303);
  expect((await browser.get("/settings")).html).toContain("No app has asked for reports");
});
