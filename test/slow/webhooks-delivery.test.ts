import { describe, expect, test } from "vitest";
import { newWebhookSecret } from "../../functions/api/webhooks/signature.ts";
import { seal } from "../../functions/lib/security/sealing.ts";
import {
  answering,
  arrived,
  createListener,
  createRestingDelivery,
  expectDelivery,
  expectFirstAttempt,
  makeDue,
  pointer,
  startReceiver,
  verified,
} from "../api/webhooks/webhook-receiver.ts";
import { invariantsHoldAfterwards } from "../support/check-invariants.ts";
import { changeTable, deliver, runCron, sql } from "../support/stack.ts";

invariantsHoldAfterwards();

describe("a new delivery", () => {
  test("leaves when its write is done, without waiting for a cron", async () => {
    const { follow, received, webhook } = await createListener();
    const rest = `test_rest_${webhook.id}`;
    // No cron sends it for an hour.
    await changeTable(
      `create function ${rest}() returns trigger language plpgsql as $$
       begin new.dispatched_at = now() + interval '1 hour'; return new; end $$;
       create trigger ${rest} before insert on webhook_deliveries for each row when (new.webhook_id = ${webhook.id})
       execute function ${rest}()`,
    );
    try {
      await follow();
      await arrived(received, 1);
    } finally {
      await changeTable(`drop function ${rest}() cascade`);
    }
  });

  test("is sent by a cron if its request could not, and once", async () => {
    const { webhook, who, received } = await createListener();
    const id = await createRestingDelivery(webhook);
    await sql("update webhook_deliveries set dispatched_at = null where id = $1", [id]);
    await expectDelivery(who, webhook, { state: "delivered", attempts: [{ response_code: 204 }] });
    expect(received).toHaveLength(1);
  });
});

describe("a delivery that fails", () => {
  test("is retried with growing delays under the same id until it gets 2xx", async () => {
    const { follow, who, webhook, received, latest } = await createListener(answering(500, 404, 204));
    await follow();
    // The second follows by itself after seconds.
    await arrived(received, 2);
    await expectDelivery(who, webhook, { attempts: [{ response_code: 500 }, { response_code: 404 }] });
    const waiting = await latest();
    expect(waiting).toMatchObject({
      state: "pending",
      attempts: [{ failure: "status" }, { failure: "status" }],
    });
    const { afterAttemptS, fromNowS } = await waitOf(waiting?.id ?? 0);
    expect(afterAttemptS).toBeGreaterThanOrEqual(300);
    expect(fromNowS).toBeLessThanOrEqual(360);
    await makeDue(waiting?.id ?? 0);
    await arrived(received, 3);
    await expectDelivery(who, webhook, { state: "delivered", next_attempt_at: null });
    expect((await latest())?.attempts.map((one) => [one.response_code, one.failure])).toEqual([
      [500, "status"],
      [404, "status"],
      [204, null],
    ]);
    for (const one of received) verified(webhook.secret, one);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect([...new Set(received.map(({ headers }) => headers["webhook-id"]))]).toEqual([waiting?.message_id]);
  });

  test("is abandoned after ten attempts, all of which are logged", async () => {
    const { webhook, latest, received } = await createListener((response) =>
      // Long enough that the queue itself sends nothing meanwhile.
      response.writeHead(503, { "Retry-After": "100" }).end(),
    );
    const id = await createRestingDelivery(webhook);
    for (let attempt = 1; attempt <= 10; attempt++) {
      await deliver("webhooks", [pointer(id)]);
      await sql(
        "update webhook_deliveries set next_attempt_at = now(), dispatched_at = now() + interval '1 hour' where id = $1 and state = 'pending'",
        [id],
      );
    }
    expect(await latest()).toMatchObject({ state: "failed", next_attempt_at: null });
    expect([(await latest())?.attempts.length, received.length]).toEqual([10, 10]);
    await deliver("webhooks", [pointer(id)]);
    expect(received.length).toBe(10);
    // A Worker that dies during the last attempt leaves the delivery so.
    await sql(
      "update webhook_deliveries set state = 'pending', next_attempt_at = now(), dispatched_at = now() + interval '1 hour' where id = $1",
      [id],
    );
    await deliver("webhooks", [pointer(id)]);
    expect([(await latest())?.state, received.length]).toEqual(["failed", 10]);
  });

  test("is retried no sooner than the receiver asks, within a day", async () => {
    const asked = ["100", "7200", "99999999", new Date(Date.now() + 3_600_000).toUTCString(), "soon", "-5"];
    const { webhook } = await createListener((response, nth) =>
      response.writeHead(429, { "Retry-After": asked[nth - 1] }).end(),
    );
    const waits: Awaited<ReturnType<typeof waitOf>>[] = [];
    for (const _ of asked) {
      const id = await createRestingDelivery(webhook);
      await deliver("webhooks", [pointer(id)]);
      waits.push(await waitOf(id));
    }
    for (const [index, wanted] of [100, 7_200, 86_400, 3_600, 5, 5].entries()) {
      expect(waits[index]?.fromNowS).toBeLessThanOrEqual(wanted + 2);
      expect(waits[index]?.afterAttemptS).toBeGreaterThan(wanted - 60);
    }
  });

  test("follows no redirect", async () => {
    const elsewhere = await startReceiver();
    const { who, webhook, follow } = await createListener((response) =>
      response.writeHead(307, { Location: elsewhere.url }).end(),
    );
    await follow();
    await expectFirstAttempt(who, webhook, { response_code: 307, failure: "redirect" });
    expect(elsewhere.received).toEqual([]);
  });

  test("waits two seconds for a receiver, fifteen from then on, and delays no other", async () => {
    const hanging = await createListener(() => {});
    const other = await createListener();
    const id = await createRestingDelivery(hanging.webhook);
    const attempted = async () => {
      await sql(
        "update webhook_deliveries set next_attempt_at = now(), dispatched_at = now() where id = $1",
        [id],
      );
      const both = deliver("webhooks", [pointer(id), pointer(await createRestingDelivery(other.webhook))]);
      await expectDelivery(other.who, other.webhook, { state: "delivered" });
      await both;
    };
    await attempted();
    await attempted();
    const attempts = (await hanging.latest())?.attempts ?? [];
    expect(attempts).toMatchObject(Array(2).fill({ response_code: null, failure: "timeout" }));
    expect(attempts.map(({ duration }) => Math.floor((duration + 100) / 1_000) >= 15)).toEqual([false, true]);
  });

  test("to a slow receiver is repeated once, and further ones are not until it is quick and slow again", async () => {
    let replyMs = 3_000;
    const { webhook, who, received, latest } = await createListener((response) =>
      setTimeout(() => response.writeHead(204).end(), replyMs),
    );
    const attempted = async () => {
      const id = await createRestingDelivery(webhook);
      await deliver("webhooks", [pointer(id)]);
      await makeDue(id);
      await runCron("* * * * *");
      await expectDelivery(who, webhook, { state: "delivered" });
      return (await latest())?.attempts.length;
    };
    expect([await attempted(), await attempted()]).toEqual([2, 1]);
    replyMs = 0;
    expect(await attempted()).toBe(1);
    replyMs = 3_000;
    expect(await attempted()).toBe(2);
    expect(received).toHaveLength(6);
  });

  test("is distinguished from a missing receiver and a broken connection", async () => {
    const gone = await createListener();
    gone.close();
    const rude = await createListener((response) => response.destroy());
    await Promise.all([gone.follow(), rude.follow()]);
    for (const { who, webhook } of [gone, rude])
      await expectFirstAttempt(who, webhook, { response_code: null, failure: "unreachable" });
  });

  test("is not caused by an endless reply", async () => {
    const { who, webhook, follow } = await createListener((response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.writeHead(200).on("drain", more);
      more();
    });
    await follow();
    await expectDelivery(who, webhook, { state: "delivered" });
  });

  test("is not sent if its secret cannot be opened", async () => {
    const { webhook, received, latest } = await createListener();
    const keys = { SEAL_KEYS: Buffer.alloc(32, 7).toString("base64") };
    await sql("update webhooks set secret_sealed = $2 where id = $1", [
      webhook.id,
      seal(keys, newWebhookSecret()),
    ]);
    await deliver("webhooks", [pointer(await createRestingDelivery(webhook))]);
    expect(await latest()).toMatchObject({ attempts: [{ failure: "unsigned" }] });
    expect(received).toEqual([]);
  });
});

/** Seconds until the next attempt, on the database's clock. */
/** Seconds from the end of the last attempt, and from now, to the next one. It was planned between the two. */
async function waitOf(id: number): Promise<{ afterAttemptS: number; fromNowS: number }> {
  const [row] = await sql<{ after: number; now: number }>(
    `select extract(epoch from next_attempt_at - now())::float8 as now,
       extract(epoch from next_attempt_at - (last ->> 'at')::timestamptz)::float8 - (last ->> 'duration_ms')::float8 / 1000 as after
     from webhook_deliveries, lateral (select attempts -> -1 as last) where id = $1`,
    [id],
  );
  return { afterAttemptS: row?.after ?? 0, fromNowS: row?.now ?? 0 };
}

describe("a repeated message", () => {
  test("is delivered once by any number of concurrent consumers", async () => {
    const { webhook, received, latest } = await createListener();
    const id = await createRestingDelivery(webhook);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => deliver("webhooks", [pointer(id), pointer(id)])),
    );
    for (const { explicitAcks, retryMessages } of outcomes)
      expect([explicitAcks.length, retryMessages]).toEqual([2, []]);
    expect([received.length, (await latest())?.state]).toEqual([1, "delivered"]);
    await deliver("webhooks", [pointer(id)]);
    expect(received.length).toBe(1);
  });

  test("after a lost attempt is retried after a minute, and the late result is ignored", async () => {
    const { webhook, received, latest } = await createListener();
    const id = await createRestingDelivery(webhook);
    const lost = crypto.randomUUID();
    await sql("select begin_webhook_delivery($1, $2, null)", [id, lost]);
    await deliver("webhooks", [pointer(id)]);
    expect(received).toEqual([]);
    await makeDue(id);
    await runCron("* * * * *");
    await arrived(received, 1);
    await expect.poll(async () => (await latest())?.state).toBe("delivered");
    const [late] = await sql<{ late: unknown }>(
      `select settle_webhook_delivery($1, $2, '{"failure": "timeout"}') as late`,
      [id, lost],
    );
    expect([late?.late, (await latest())?.state]).toEqual([null, "delivered"]);
  });

  test("that is malformed or dead delays nobody (F45)", async () => {
    const bodies = [
      null,
      "x",
      1,
      [],
      {},
      { delivery: "1" },
      { delivery: -1 },
      { delivery: 1.5 },
      { delivery: 1 },
    ];
    for (const queue of ["webhooks", "dead-letters"]) {
      const outcome = await deliver(
        queue,
        bodies.map((body) => ({ body })),
      );
      expect([outcome.outcome, outcome.explicitAcks.length]).toEqual(["ok", bodies.length]);
    }
  });

  test("that was lost is sent again (F30)", async () => {
    const { webhook, received } = await createListener();
    const id = await createRestingDelivery(webhook);
    await sql("update webhook_deliveries set dispatched_at = now() - interval '61 s' where id = $1", [id]);
    await runCron("* * * * *");
    await arrived(received, 1);
  });

  test("many deliveries at once each arrive once and delay no other webhook", async () => {
    const [busy, quiet] = [await createListener(), await createListener()];
    await sql(
      `insert into webhook_deliveries (webhook_id, event, data)
       select id, 'follow.created', jsonb_build_object('user', mini_user(user_id)) from webhooks, generate_series(1, 230)
       where id = $1`,
      [busy.webhook.id],
    );
    await quiet.follow();
    await arrived(quiet.received, 1);
    await expect.poll(() => busy.received.length).toBeGreaterThanOrEqual(230);
    expect(new Set(busy.received.map(({ headers }) => headers["webhook-id"])).size).toBe(230);
    expect(busy.received.length).toBe(230);
  });
});
