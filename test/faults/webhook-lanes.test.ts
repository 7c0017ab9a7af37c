import { createServer, type ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newWebhookSecret } from "../../functions/api/webhooks/signature.ts";
import { seal } from "../../functions/lib/security/sealing.ts";
import { listenForWorker } from "../../workers/local/worker/loopback.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

let faulty: FaultyStack;

beforeAll(async () => {
  faulty = await startFaultyStack({}, 0);
});
afterAll(() => faulty.stop());

/** A receiver that answers nothing, or 204, and knows what is open. */
async function startReceiver(answers: boolean) {
  const received: string[] = [];
  const open = new Map<string, Set<ServerResponse>>();
  let mostOpen = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    received.push(path);
    if (answers) return void response.writeHead(204).end();
    const waiting = open.get(path) ?? new Set();
    open.set(path, waiting.add(response));
    mostOpen = Math.max(mostOpen, waiting.size);
    response.on("close", () => waiting.delete(response));
  });
  const port = await listenForWorker(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${port}`, port, received, mostOpen: () => mostOpen };
}

/** Makes users with one webhook each, `/1` to `/count` below `url`. Each host is another, since hosts have budgets. */
async function createWebhooks(count: number, { port }: { port: number }): Promise<number[]> {
  const { auth } = faulty;
  const app = await auth.createApp();
  const name = `hooked${Date.now()}x`;
  const secret = seal(faulty.stack.secrets, newWebhookSecret());
  const rows = await auth.sql<{ id: number }>(
    `with people as (
       insert into users (username, permalink) select $1 || n, $1 || n from generate_series(1, $2::int) n returning id),
     numbered as (select id, row_number() over (order by id) as n from people),
     consented as (insert into consents (user_id, app_id) select id, $3 from numbered)
     insert into webhooks (user_id, app_id, url, target_hash, target_host, events, secret_sealed)
     select id, $3, 'http://127.0.0.1:' || $4::int || '/' || n, sha256((id || '')::bytea), 'host' || id, '{follow.created}', $5
     from numbered returning id::float8 as id`,
    [name, count, app.id, port, secret],
  );
  return rows.map(({ id }) => id);
}

/** Makes events and sends them as the cron does. */
async function tell(webhooks: number[], times = 1): Promise<void> {
  await faulty.auth.sql(
    `insert into webhook_deliveries (webhook_id, event, data, next_attempt_at)
     select w.id, 'follow.created', jsonb_build_object('user', mini_user(w.user_id)), now() - interval '10 s'
     from webhooks w, generate_series(1, $2::int) where w.id = any($1)`,
    [webhooks, times],
  );
  await faulty.stack.worker.scheduled({ cron: "* * * * *" });
}

test("beside 200 hanging targets of other users a due delivery leaves at once", async () => {
  const [hanging, fine] = [await startReceiver(false), await startReceiver(true)];
  const bad = await createWebhooks(200, hanging);
  // An attempt at a slow one lasts 15 seconds, in which a busy machine sends all.
  await faulty.auth.sql("update webhooks set slow = true where id = any($1)", [bad]);
  const [good = 0] = await createWebhooks(1, fine);
  await tell(bad);
  await tell([good]);
  await expect.poll(() => fine.received.length).toBe(1);
  // All first tries, at most: a second would have been sent after one has ended.
  expect(new Set(hanging.received).size).toBe(hanging.received.length);
});

test("a hanging target gets few of many events at once, and its user's others none of its delay", async () => {
  const [hanging, fine] = [await startReceiver(false), await startReceiver(true)];
  const [bad = 0] = await createWebhooks(1, hanging);
  const [good = 0] = await createWebhooks(1, fine);
  await faulty.auth.sql(
    `with own as (
       update webhooks w set user_id = b.user_id, app_id = b.app_id from webhooks b where b.id = $1 and w.id = $2 returning 1)
     select from own`,
    [bad, good],
  );
  await tell([bad], 120);
  await tell([good], 120);
  await expect.poll(() => fine.received.length).toBe(120);
  // One user has 32 at once, and fewer to slow targets.
  expect(hanging.mostOpen()).toBeLessThanOrEqual(32);
  expect(hanging.mostOpen()).toBeGreaterThan(4);
});

test("a host that many users have webhooks at delays no other host", async () => {
  const fine = await startReceiver(true);
  // One cron sends a thousand.
  const many = await createWebhooks(1_100, fine);
  const [calm = 0] = await createWebhooks(1, fine);
  await faulty.auth.sql("update webhooks set target_host = 'shared' where id = any($1)", [many]);
  await faulty.auth.sql(
    `insert into webhook_deliveries (webhook_id, event, data, dispatched_at, next_attempt_at)
     select id, 'follow.created', jsonb_build_object('user', mini_user(user_id)), now() - interval '1 hour',
       now() - case id when $2 then interval '1 minute' else interval '1 hour' end
     from webhooks where id = any($1)`,
    [[...many, calm], calm],
  );
  await faulty.stack.worker.scheduled({ cron: "* * * * *" });
  const left = await faulty.auth.sql<{ id: number }>(
    "select webhook_id::float8 as id from webhook_deliveries where dispatched_at < now() - interval '30 minutes'",
  );
  expect(left).toHaveLength(101);
  expect(left).not.toContainEqual({ id: calm });
});
