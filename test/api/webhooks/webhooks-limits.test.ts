import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { WebhookDelivery } from "../../../functions/api/webhooks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { deliver, runCron, sql } from "../../support/stack.ts";
import {
  arrived,
  createListener,
  createRestingDelivery,
  createWebhook,
  makeDue,
  pointer,
} from "./webhook-receiver.ts";

const EVENTS = ["follow.created"];

const make = (who: Person, url: string) =>
  api.as(who).post<ErrorReply>("/me/webhooks", { json: { url, events: EVENTS } });

const messageOf = ({ body }: { body: ErrorReply }) => body.errors[0]?.error_message;

/** A receiver on its own loopback address, a host that no other test uses. */
async function startHost(address: string) {
  let received = 0;
  const server = createServer((_, response) => {
    received += 1;
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: (path = "") => `http://${address}:${port}/${path}`, received: () => received };
}

const fillBudget = (host: string, taken: number, endsInS: number) =>
  sql(
    `insert into budgets (bucket, taken, ends_at)
     values ('webhook-deliveries ' || $1, $2, now() + make_interval(secs => $3))
     on conflict (bucket) do update set taken = excluded.taken, ends_at = excluded.ends_at`,
    [host, taken, endsInS],
  );

test("an app and user have one webhook per target, in any spelling and under concurrency", async () => {
  const who = await createUser();
  const spellings = [
    "https://hooks.example.com/a",
    "HTTPS://HOOKS.EXAMPLE.COM/a",
    "https://hooks.example.com:443/a",
    "https://hooks.example.com./a",
    "https://hooks.example.com/b/../a",
  ];
  const replies = await Promise.all(spellings.map((url) => make(who, url)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  const [made] = await sql<{ id: number }>("select id::float8 as id from webhooks where user_id = $1", [
    who.id,
  ]);
  for (const refused of replies.filter(({ status }) => status === 409))
    expect(messageOf(refused)).toBe(`url: webhook ${made?.id} of this app already has this address`);
  expect((await make(await createUser(), spellings[0] ?? "")).status).toBe(201);
});

test("a webhook cannot move to another's target, but may be sent to its own", async () => {
  const who = await createUser();
  const [one, other] = [
    await createWebhook(who, "https://hooks.example.com/1", EVENTS),
    await createWebhook(who, "https://hooks.example.com/2", EVENTS),
  ];
  const put = (id: number, url: string) =>
    api.as(who).put<ErrorReply>(`/me/webhooks/${id}`, { json: { url } });
  const refused = await put(other.id, "https://hooks.example.com:443/1");
  expect([refused.status, messageOf(refused)]).toEqual([
    409,
    `url: webhook ${one.id} of this app already has this address`,
  ]);
  expect((await put(one.id, "https://HOOKS.example.com/1")).status).toBe(200);
  expect((await put(other.id, "https://hooks.example.com/3")).status).toBe(200);
  expect((await make(who, "https://hooks.example.com/2")).status).toBe(201);
});

test("a target of 2,000 characters that grows when parsed is stored", async () => {
  const url = `https://hooks.example.com/${'"<>'.repeat(650)}`;
  expect((await make(await createUser(), url)).status).toBe(201);
});

test("a user has at most a hundred webhooks across all apps", async () => {
  const who = await createUser();
  await sql(
    `insert into webhooks (user_id, app_id, url, target_hash, target_host, events, secret_sealed)
     select $1, (select id from apps where id <> $2 order by id limit 1), 'https://a.example/' || n,
       sha256(n::text::bytea), 'a.example', '{follow.created}', ''
     from generate_series(1, 100) n`,
    [who.id, who.app.id],
  );
  const refused = await make(who, "https://hooks.example.com/101");
  expect([refused.status, messageOf(refused)]).toEqual([
    422,
    "All your apps together have 100 webhooks, which is the limit",
  ]);
});

test("tests and replays count against budgets, and beyond them send nothing", async () => {
  const { who, webhook, path, received } = await createListener();
  const resting = await createRestingDelivery(webhook);
  for (const [name, address, max] of [
    ["webhook-tests", `${path}/test`, 100],
    ["webhook-replays", `${path}/deliveries/${resting}/replay`, 1_000],
  ] as const) {
    const first = await api.as(who).post(address);
    expect([first.status, first.headers.get("RateLimit")]).toEqual([202, `"${name}";r=${max - 1};t=3600`]);
    await sql("update budgets set taken = $2 where starts_with(bucket, $1)", [`${name} ${who.id} `, max]);
  }
  await arrived(received, 2);
  const rows = () =>
    sql("select id, state, tries from webhook_deliveries where webhook_id = $1 order by id", [webhook.id]);
  // The log of an attempt is written after the reply to it.
  await expect.poll(async () => (await rows()).filter(({ state }) => state === "pending")).toEqual([]);
  const before = await rows();
  for (const address of [`${path}/test`, `${path}/deliveries/${resting}/replay`]) {
    const { status, headers } = await api.as(who).post(address);
    expect([status, headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  }
  expect(await rows()).toEqual(before);
});

test("webhooks of several users to one host share a budget: beyond it they wait, and none is lost", async () => {
  const host = await startHost("127.9.9.1");
  const listeners = await Promise.all(
    ["a", "b", "c"].map(async (path) => createWebhook(await createUser(), host.url(path), EVENTS)),
  );
  const deliveries = await Promise.all(listeners.map(createRestingDelivery));
  await fillBudget("127.9.9.1", 599, 300);
  await deliver("webhooks", deliveries.map(pointer));
  expect(host.received()).toBe(1);
  const shares = await sql("select taken from budgets where starts_with(bucket, $1)", [
    "webhook-deliveries 127.9.9.1 ",
  ]);
  expect(shares.map(({ taken }) => taken).sort()).toEqual([0, 0, 1]);
  const waiting = await sql<{ tries: number; late: number }>(
    `select tries, extract(epoch from next_attempt_at - ends_at)::float8 as late
     from webhook_deliveries, budgets where id = any($1) and state = 'pending' and bucket = 'webhook-deliveries 127.9.9.1'`,
    [deliveries],
  );
  expect(waiting).toHaveLength(2);
  // Whole seconds, to the end of the budget's window.
  for (const { tries, late } of waiting) {
    expect(tries).toBe(0);
    expect(Math.abs(late)).toBeLessThanOrEqual(1);
  }
  await fillBudget("127.9.9.1", 600, -1);
  for (const id of deliveries) await makeDue(id);
  await runCron("* * * * *");
  await expect.poll(host.received).toBe(3);
  const states = () =>
    sql<{ state: string; tries: number }>("select state, tries from webhook_deliveries where id = any($1)", [
      deliveries,
    ]);
  await expect.poll(states).toEqual(Array(3).fill({ state: "delivered", tries: 1 }));
});

test("a user takes at most half of a host's budget, and the deliveries of others go on", async () => {
  const host = await startHost("127.9.9.5");
  const [busy, calm] = [await createUser(), await createUser()];
  const deliveries = await Promise.all(
    [busy, calm].map(async (who) => createRestingDelivery(await createWebhook(who, host.url(), EVENTS))),
  );
  await fillBudget(`127.9.9.5 ${busy.id}`, 300, 30);
  await deliver("webhooks", deliveries.map(pointer));
  const states = await sql<{ state: string }>(
    "select state, tries from webhook_deliveries where id = any($1) order by array_position($1, id)",
    [deliveries],
  );
  expect(states).toEqual([
    { state: "pending", tries: 0 },
    { state: "delivered", tries: 1 },
  ]);
});

test("a host with a used-up budget receives nothing and delays no other host", async () => {
  const [busy, calm] = [await startHost("127.9.9.2"), await startHost("127.9.9.3")];
  const [waiting, listening] = [
    await createWebhook(await createUser(), busy.url(), EVENTS),
    await createWebhook(await createUser(), calm.url(), EVENTS),
  ];
  await fillBudget("127.9.9.2", 600, 300);
  const [waitingDelivery, sent] = [
    await createRestingDelivery(waiting),
    await createRestingDelivery(listening),
  ];
  for (const id of [waitingDelivery, sent]) await makeDue(id);
  await runCron("* * * * *");
  await expect.poll(calm.received).toBe(1);
  expect(busy.received()).toBe(0);
  expect(
    await sql("select state, dispatched_at from webhook_deliveries where id = $1", [waitingDelivery]),
  ).toEqual([{ state: "pending", dispatched_at: null }]);
});

test("a test beyond its host's budget is accepted and sent later", async () => {
  const host = await startHost("127.9.9.4");
  const who = await createUser();
  const { id } = await createWebhook(who, host.url(), EVENTS);
  await fillBudget("127.9.9.4", 600, 300);
  const accepted = await api.as(who).post<WebhookDelivery>(`/me/webhooks/${id}/test`);
  expect([accepted.status, accepted.body.state]).toEqual([202, "pending"]);
  const wait = async () => {
    const [row] = await sql<{ wait: number }>(
      "select extract(epoch from next_attempt_at - now())::float8 as wait from webhook_deliveries where id = $1",
      [accepted.body.id],
    );
    return row?.wait ?? 0;
  };
  await expect.poll(wait).toBeGreaterThan(200);
  expect(host.received()).toBe(0);
});
