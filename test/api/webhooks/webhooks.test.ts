import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type {
  Webhook,
  WebhookDelivery,
  WebhookWithSecret,
} from "../../../functions/api/webhooks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createWebhook, deliveriesOf } from "./webhook-receiver.ts";

const TARGET = "https://hooks.example.com/in?x=1";
const EVENTS = ["comment.created", "like.created"];

/** A target that no other webhook has. */
const uniqueTarget = () => `https://hooks.example.com/${randomUUID()}`;

let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = await Promise.all([createUser(), createUser()]);
});

describe("a webhook", () => {
  test("is created with a secret that is shown once", async () => {
    const json = { url: TARGET, events: [...EVENTS, "like.created"] };
    const { status, headers, body } = await api.as(ana).post<WebhookWithSecret>("/me/webhooks", { json });
    const { secret, ...shown } = body;
    expect([status, headers.get("Location"), headers.get("Cache-Control")]).toEqual([
      201,
      body.uri,
      "private, no-store",
    ]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({
      kind: "webhook",
      url: TARGET,
      events: EVENTS,
      enabled: true,
      disabled_reason: null,
      failing_since: null,
      previous_secret_expires_at: null,
      app_id: ana.app.id,
    });
    const replies = [
      await api.as(ana).get<Webhook>(`/me/webhooks/${body.id}`),
      await api.as(ana).get<Webhook[]>("/me/webhooks"),
      await api.as(ana).put<Webhook>(`/me/webhooks/${body.id}`, { json: {} }),
    ];
    expect(replies[0]?.body).toEqual(shown);
    expect(replies[1]?.body).toEqual([shown]);
    for (const reply of replies) expect(JSON.stringify(reply.body)).not.toContain("whsec_");
  });

  test("is created once by a repeated request, which returns the secret again", async () => {
    const who = await createUser();
    const again = () =>
      api.as(who).post<WebhookWithSecret>("/me/webhooks", {
        json: { url: TARGET, events: EVENTS },
        headers: { "Idempotency-Key": "one-webhook" },
      });
    expect((await again()).body).toEqual((await again()).body);
    expect((await api.as(who).get<Webhook[]>("/me/webhooks")).body).toHaveLength(1);
  });

  test("changes the fields sent and keeps the others", async () => {
    const who = await createUser();
    const { id } = await createWebhook(who, TARGET, EVENTS);
    const put = async (json: object) => (await api.as(who).put<Webhook>(`/me/webhooks/${id}`, { json })).body;
    expect(await put({ url: "https://other.example.com/" })).toMatchObject({
      url: "https://other.example.com/",
      events: EVENTS,
      enabled: true,
    });
    expect(await put({ events: ["track.failed"] })).toMatchObject({ events: ["track.failed"] });
    expect(await put({ enabled: false })).toMatchObject({ enabled: false, disabled_reason: null });
    const { body } = await api.as(who).get<Webhook>(`/me/webhooks/${id}`);
    expect(body).toMatchObject({
      enabled: false,
      events: ["track.failed"],
      url: "https://other.example.com/",
    });
  });

  test("is deleted together with its log", async () => {
    const who = await createUser();
    const { id } = await createWebhook(who, TARGET, EVENTS);
    await sql("insert into webhook_deliveries (webhook_id, event, data) values ($1, 'x', '{}')", [id]);
    expect((await api.as(who).delete(`/me/webhooks/${id}`)).status).toBe(200);
    expect((await api.as(who).delete(`/me/webhooks/${id}`)).status).toBe(404);
    expect(await sql("select 1 from webhook_deliveries where webhook_id = $1", [id])).toEqual([]);
  });

  test("is one of at most twenty, even when created concurrently", async () => {
    const who = await createUser();
    const made = await Promise.all(
      Array.from({ length: 23 }, () =>
        api.as(who).post<ErrorReply>("/me/webhooks", { json: { url: uniqueTarget(), events: EVENTS } }),
      ),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = made.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.body.errors[0]?.error_message).toContain("20 of your webhooks");
    const page = await api
      .as(who)
      .get<{ collection: Webhook[]; next_href: string }>("/me/webhooks?linked_partitioning=1&limit=15");
    const rest = await api.as(who).get<{ collection: Webhook[] }>(page.body.next_href);
    const ids = [...page.body.collection, ...rest.body.collection].map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => other - one));
    expect(ids).toHaveLength(20);
    expect(rest.body).not.toHaveProperty("next_href");
  });

  test("shows its deliveries by pages, newest first", async () => {
    const who = await createUser();
    const webhook = await createWebhook(who, TARGET, EVENTS);
    await sql(
      `insert into webhook_deliveries (webhook_id, event, data, state, next_attempt_at)
       select id, 'follow.created', jsonb_build_object('user', mini_user(user_id)), 'failed', null
       from webhooks, generate_series(1, 5) where id = $1`,
      [webhook.id],
    );
    const all = (await deliveriesOf(who, webhook)).map(({ id }) => id);
    expect(all).toHaveLength(5);
    const seen: number[] = [];
    let next: string | undefined = `/me/webhooks/${webhook.id}/deliveries?limit=2&linked_partitioning=true`;
    while (next) {
      const page: { body: { collection: WebhookDelivery[]; next_href?: string } } = await api
        .as(who)
        .get(next);
      seen.push(...page.body.collection.map(({ id }) => id));
      next = page.body.next_href;
    }
    expect(seen).toEqual(all);
  });
});

describe("a webhook refuses", () => {
  const create = (json: unknown) => api.as(ben).post<ErrorReply>("/me/webhooks", { json });

  test.each([
    ["events", { url: TARGET, events: [] }],
    ["events[0]", { url: TARGET, events: ["track.deleted"] }],
    ["events[1]", { url: TARGET, events: ["like.created", "webhook.test"] }],
    ["events", { url: TARGET, events: "like.created" }],
    ["events[0]", { url: TARGET, events: [null] }],
    ["enabled", { url: TARGET, events: EVENTS, enabled: "maybe" }],
    ["url", { url: 5, events: EVENTS }],
    ["url", { url: "", events: EVENTS }],
    ["url", { url: `https://example.com/${"a".repeat(2_000)}`, events: EVENTS }],
    ["url", { url: "ftp://example.com/", events: EVENTS }],
    ["url", { url: "https://user:pass@example.com/", events: EVENTS }],
    ["url", { url: "https://example.com/#a", events: EVENTS }],
    ["url", { url: "https://example.com/\u0000", events: EVENTS }],
    ["url", { url: "example.com", events: EVENTS }],
  ])("%s that is invalid, by name", async (field, json) => {
    const { status, body } = await create(json);
    expect([status, body.errors[0]?.error_message]).toEqual([422, expect.stringContaining(`${field}: `)]);
    const { id } = await createWebhook(ana, uniqueTarget(), EVENTS);
    const changed = await api.as(ana).put<ErrorReply>(`/me/webhooks/${id}`, { json });
    expect([changed.status, changed.body.errors]).toEqual([422, body.errors]);
    await api.as(ana).delete(`/me/webhooks/${id}`);
  });

  test("a body that is incomplete or missing", async () => {
    for (const json of [{}, { url: TARGET }, { events: EVENTS }, [], "x", null])
      expect([json, (await create(json)).status]).toEqual([json, 400]);
  });

  const paths = (id: number) => ({
    get: [`/me/webhooks/${id}`, `/me/webhooks/${id}/deliveries`],
    put: [`/me/webhooks/${id}`],
    post: [`/me/webhooks/${id}/secret`, `/me/webhooks/${id}/test`, `/me/webhooks/${id}/deliveries/1/replay`],
    delete: [`/me/webhooks/${id}`],
  });

  test("other users, to whom it does not exist", async () => {
    const { id } = await createWebhook(ana, uniqueTarget(), EVENTS);
    for (const missing of [id, 1, 2 ** 52])
      for (const [method, targets] of Object.entries(paths(missing)) as ["get" | "post", string[]][])
        for (const path of targets) {
          const { status } = await api.as(ben)[method](path, method === "get" ? {} : { json: {} });
          expect([method, path, status]).toEqual([method, path, 404]);
        }
    expect((await api.as(ana).get(`/me/webhooks/${id}`)).status).toBe(200);
  });

  test("another webhook's delivery, even of the same user", async () => {
    const [one, other] = [
      await createWebhook(ana, uniqueTarget(), EVENTS),
      await createWebhook(ana, uniqueTarget(), EVENTS),
    ];
    const [made] = await sql<{ id: number }>(
      `insert into webhook_deliveries (webhook_id, event, data, dispatched_at)
       values ($1, 'x', '{}', now() + interval '1 day') returning id::float8 as id`,
      [one.id],
    );
    const path = `/me/webhooks/${other.id}/deliveries/${made?.id}/replay`;
    expect((await api.as(ana).post(path)).status).toBe(404);
  });

  test("a token without a user, or none", async () => {
    const { id } = await createWebhook(ana, uniqueTarget(), EVENTS);
    const app = api.as(await createAppToken());
    for (const client of [app, api])
      for (const [method, targets] of Object.entries({
        ...paths(id),
        get: ["/me/webhooks", ...paths(id).get],
      }) as ["get", string[]][])
        for (const path of targets) expect([path, (await client[method](path)).status]).toEqual([path, 401]);
  });
});

test("an erased user leaves no webhook (X103)", async () => {
  const who = await createUser();
  const { id } = await createWebhook(who, TARGET, EVENTS);
  await sql("delete from users where id = $1", [who.id]);
  expect(await sql("select 1 from webhooks where id = $1", [id])).toEqual([]);
});
