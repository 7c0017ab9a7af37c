import pg from "pg";
import { describe, expect, test } from "vitest";
import type {
  Webhook,
  WebhookDelivery,
  WebhookWithSecret,
} from "../../../functions/api/webhooks/representation.ts";
import { api } from "../../support/api.ts";
import { mailsTo, mailTo, sendMailsTo } from "../../support/browser.ts";
import { createUser } from "../../support/people.ts";
import { deliver, runCron, sql, stack, workerLog } from "../../support/stack.ts";
import {
  answering,
  arrived,
  createListener,
  createRestingDelivery,
  deliveriesOf,
  expectDelivery,
  pointer,
  verified,
} from "./webhook-receiver.ts";

describe("a replay", () => {
  test("resends a delivered or failed event unchanged under its id", async () => {
    const { follow, who, webhook, received, path, latest } = await createListener();
    await follow();
    await expectDelivery(who, webhook, { state: "delivered" });
    const before = await latest();
    const again = await api.as(who).post<WebhookDelivery>(`${path}/deliveries/${before?.id}/replay`);
    expect([again.status, again.body.message_id, again.body.state]).toEqual([
      202,
      before?.message_id,
      "pending",
    ]);
    await arrived(received, 2);
    expect(received[1]?.headers["webhook-id"]).toBe(received[0]?.headers["webhook-id"]);
    expect(received[1]?.body).toBe(received[0]?.body);
    await expectDelivery(who, webhook, { state: "delivered", attempts: [{}, {}] });
    await sql("update webhook_deliveries set state = 'failed', tries = 10 where id = $1", [before?.id]);
    await api.as(who).post(`${path}/deliveries/${before?.id}/replay`);
    await arrived(received, 3);
  });

  test("lets a running attempt finish and requires an enabled webhook", async () => {
    const { who, webhook, path } = await createListener();
    const id = await createRestingDelivery(webhook);
    await sql("select begin_webhook_delivery($1, gen_random_uuid(), null)", [id]);
    const replay = () => api.as(who).post(`${path}/deliveries/${id}/replay`);
    expect((await replay()).status).toBe(409);
    await api.as(who).put(path, { json: { enabled: false } });
    expect((await replay()).status).toBe(409);
    expect((await api.as(who).post(`${path}/test`)).status).toBe(409);
  });

  test("a test event needs no cause", async () => {
    const { who, webhook, path, received } = await createListener();
    const { status, body } = await api.as(who).post<WebhookDelivery>(`${path}/test`);
    expect([status, body.event]).toEqual([202, "webhook.test"]);
    await arrived(received, 1);
    const [first] = received;
    expect(first && verified(webhook.secret, first)).toMatchObject({
      type: "webhook.test",
      data: { user: { id: who.id } },
    });
  });
});

describe("a webhook", () => {
  test("is disabled by a 410, with all pending deliveries", async () => {
    const { who, webhook, path, follow, state, received } = await createListener(answering(410));
    const resting = await createRestingDelivery(webhook);
    await sql("update webhook_deliveries set next_attempt_at = now() + interval '1 hour' where id = $1", [
      resting,
    ]);
    await follow();
    await expect.poll(async () => (await state()).disabled_reason).toBe("gone");
    expect((await state()).enabled).toBe(false);
    const email = `${who.username}@example.com`;
    await sendMailsTo(email);
    const mail = await mailTo(email, "switched off");
    expect(mail.text).toContain(webhook.uri);
    expect(mail.text).not.toContain(webhook.url);
    expect((await deliveriesOf(who, webhook)).map((one) => one.state)).toEqual(["failed", "failed"]);
    await follow();
    expect([received.length, (await deliveriesOf(who, webhook)).length]).toEqual([1, 2]);
    const on = await api.as(who).put<Webhook>(path, { json: { enabled: true } });
    expect(on.body).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
  });

  test("sends its owner five mails an hour at most, however often an app enables it again", async () => {
    const { who, webhook, path } = await createListener(answering(410));
    for (let round = 0; round < 6; round++) {
      await api.as(who).put(path, { json: { enabled: true } });
      await deliver("webhooks", [pointer(await createRestingDelivery(webhook))]);
    }
    const waiting = () => sql("select from mails where user_id = $1", [who.id]);
    const email = `${who.username}@example.com`;
    await sendMailsTo(email);
    await expect.poll(waiting).toEqual([]);
    const sent = await mailsTo(email);
    expect(sent.filter(({ subject }) => subject.includes("switched off"))).toHaveLength(5);
  });

  test("is disabled after five days of failures, which a success resets", async () => {
    const { who, webhook, state } = await createListener((response, nth) =>
      response.writeHead(nth === 3 ? 204 : 500, { "Retry-After": "100" }).end(),
    );
    const attempt = async () => {
      await deliver("webhooks", [pointer(await createRestingDelivery(webhook))]);
      return state();
    };
    const afterDays = async (days: number) => {
      await sql("update webhooks set failing_since = now() - make_interval(days => $2) where id = $1", [
        webhook.id,
        days,
      ]);
      return attempt();
    };
    expect((await attempt()).failing_since).not.toBeNull();
    expect(await afterDays(4)).toMatchObject({ enabled: true, failing_since: expect.any(String) });
    expect(await afterDays(6)).toMatchObject({ enabled: true, failing_since: null });
    expect((await attempt()).failing_since).not.toBeNull();
    expect(await afterDays(6)).toMatchObject({ enabled: false, disabled_reason: "failing" });
    const mail = await mailTo(`${who.username}@example.com`, "switched off");
    expect(mail.text).toContain("five days");
  });

  test("signs with the new and the previous secret for a day", async () => {
    const { who, webhook, path, received } = await createListener();
    const rotated = (await api.as(who).post<WebhookWithSecret>(`${path}/secret`)).body;
    expect(rotated.secret).not.toBe(webhook.secret);
    expect(rotated.previous_secret_expires_at).not.toBeNull();
    await api.as(who).post(`${path}/test`);
    await arrived(received, 1);
    for (const secret of [rotated.secret, webhook.secret]) for (const one of received) verified(secret, one);
    await sql("update webhooks set previous_secret_expires_at = now() where id = $1", [webhook.id]);
    await api.as(who).post(`${path}/test`);
    await arrived(received, 2);
    expect(received[1]?.headers["webhook-signature"]).toMatch(/^v1,[^ ]+$/);
    expect((await api.as(who).get<Webhook>(path)).body.previous_secret_expires_at).toBeNull();
  });

  test("receives nothing more after its user or app is disabled", async () => {
    const { who, webhook, received } = await createListener();
    const id = await createRestingDelivery(webhook);
    for (const [table, key] of [
      ["users", who.id],
      ["apps", who.app.id],
    ] as const) {
      await sql(`update ${table} set disabled_at = now() where id = $1`, [key]);
      await deliver("webhooks", [pointer(id)]);
      await sql(`update ${table} set disabled_at = null where id = $1`, [key]);
    }
    expect(received).toEqual([]);
  });

  test("keeps no event that came while it was being disabled for the time when it is enabled again", async () => {
    const { who, webhook, path, received, latest } = await createListener();
    await api.as(who).put(path, { json: { enabled: false } });
    const id = await createRestingDelivery(webhook);
    await deliver("webhooks", [pointer(id)]);
    expect(await latest()).toMatchObject({ id, state: "failed", next_attempt_at: null, attempts: [] });
    await api.as(who).put(path, { json: { enabled: true } });
    await deliver("webhooks", [pointer(id)]);
    expect(received).toEqual([]);
  });

  test("keeps no event whose delivery began while it was being disabled", async () => {
    const { webhook, latest } = await createListener();
    const closing = await beginWith("update webhooks set enabled = false where id = $1", webhook.id);
    const id = await createRestingDelivery(webhook);
    const holder = await beginWith("select from webhook_deliveries where id = $1 for update", id);
    const delivery = deliver("webhooks", [pointer(id)]);
    await expect.poll(holder.waiting).toHaveLength(1);
    await closing.end("commit");
    await holder.end("rollback");
    await delivery;
    expect(await latest()).toMatchObject({ id, state: "failed", next_attempt_at: null, attempts: [] });
  });
});

/** Runs a statement in a transaction of its own, which stays open. */
async function beginWith(statement: string, id: number) {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  await client.query("begin");
  await client.query(statement, [id]);
  return {
    waiting: () => sql("select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))", [rows[0].pid]),
    async end(how: "commit" | "rollback") {
      await client.query(how);
      await client.end();
    },
  };
}

test("followers of its owner do not wait while the long log of a deleted webhook goes", async () => {
  const { who, webhook, path, follow } = await createListener();
  const [entry, follower] = [await createRestingDelivery(webhook), await createUser()];
  const holder = await beginWith("select from webhook_deliveries where id = $1 for update", entry);
  const deletion = api.as(who).delete(path);
  await expect.poll(holder.waiting).toHaveLength(1);
  expect((await follow(follower)).status).toBe(201);
  await holder.end("rollback");
  expect((await deletion).status).toBe(200);
  expect(await sql("select from webhook_deliveries where webhook_id = $1", [webhook.id])).toEqual([]);
});

test("the log drops settled deliveries after 30 days", async () => {
  const { who, webhook } = await createListener();
  const rows = [
    ["31 days", "delivered"],
    ["31 days", "pending"],
    ["29 days", "failed"],
  ];
  for (const [age, state] of rows)
    await sql(
      `insert into webhook_deliveries (id, webhook_id, event, data, state, next_attempt_at)
       select ((extract(epoch from now() - $2::interval) * 1000)::bigint - 1704067200000) << 12 | (random() * 4095)::integer,
         id, 'follow.created', jsonb_build_object('user', mini_user(user_id)), $3,
         case $3 when 'pending' then now() + interval '1 hour' end
       from webhooks where id = $1`,
      [webhook.id, age, state],
    );
  await runCron("*/5 * * * *");
  expect((await deliveriesOf(who, webhook)).map(({ state }) => state)).toEqual(["failed", "pending"]);
});

test("one run of the sweep drops thousands of old deliveries, as many as a popular service makes meanwhile", async () => {
  const { webhook } = await createListener();
  const old = "id < ((extract(epoch from now() - interval '30 days') * 1000)::bigint - 1704067200000) << 12";
  await sql(
    `insert into webhook_deliveries (id, webhook_id, event, data, state, next_attempt_at)
     select ((extract(epoch from now() - interval '40 days') * 1000)::bigint - 1704067200000 + n) << 12, $1, 'follow.created', '{}',
       'delivered', null from generate_series(1, 5000) n`,
    [webhook.id],
  );
  await runCron("*/5 * * * *");
  expect(
    await sql(`select count(*)::int from webhook_deliveries where webhook_id = $1 and ${old}`, [webhook.id]),
  ).toEqual([{ count: 0 }]);
});

test("no log contains secrets, addresses or signatures (X91)", async () => {
  const { who, webhook, path, received, url } = await createListener();
  await api.as(who).post(`${path}/test`);
  await arrived(received, 1);
  await expectDelivery(who, webhook, { state: "delivered" });
  const attempted = () => workerLog().find((line) => line.webhook === webhook.id);
  await expect.poll(attempted).toMatchObject({ event: "webhook.test", response_code: 204 });
  const all = JSON.stringify(workerLog());
  const { port } = new URL(url);
  for (const text of [
    webhook.secret,
    String(received[0]?.headers["webhook-signature"]),
    `:${port}/hook`,
    "whsec_",
  ])
    expect(all).not.toContain(text);
  const stored = await sql("select * from webhooks where id = $1", [webhook.id]);
  expect(JSON.stringify(stored)).not.toContain(webhook.secret.slice("whsec_".length));
});
