import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startMigratedDatabase } from "./migrated-database.ts";

const WEBHOOKS = 20_000;
/** Two webhooks with a delivery that is due, one whose delivery waits, and what belongs to them. */
const FEW_ROWS = 40;

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await startMigratedDatabase();
  ({ client } = database);
  await client.query("insert into users (id, username, permalink) values (1, 'one', 'one')");
  await client.query(
    `insert into apps (id, client_id, secret_hash, owner_id, name, permalink, redirect_uris)
     values (1, 'one', '', 1, '', 'one', '{}')`,
  );
  await client.query(
    `insert into webhooks (id, user_id, app_id, url, target_hash, target_host, events, secret_sealed)
     select n, 1, 1, '', n::text::bytea, 'h' || n, '{}', '' from generate_series(1, $1::int) n`,
    [WEBHOOKS],
  );
  await client.query(
    `insert into webhook_deliveries (id, webhook_id, event, data, state, next_attempt_at)
     select n, n, 'webhook.test', '{}', 'delivered', null from generate_series(1, $1::int) n`,
    [WEBHOOKS],
  );
  await client.query(
    `update webhook_deliveries set state = 'pending', next_attempt_at = now() +
       case when id = 900 then interval '1 hour' else interval '-1 minute' end
     where id in (7, 900, 1900)`,
  );
  // A listening user with one webhook and a long log of its deliveries.
  await client.query("insert into users (id, username, permalink) values (2, 'two', 'two')");
  await client.query(
    `insert into webhooks (id, user_id, app_id, url, target_hash, target_host, events, secret_sealed)
     values ($1, 2, 1, '', '', 'h', '{follow.created}', '')`,
    [WEBHOOKS + 1],
  );
  await client.query(
    `insert into webhook_deliveries (webhook_id, event, data, state, next_attempt_at)
     select $1::int, 'webhook.test', '{}', 'delivered', null from generate_series(1, $1::int) n`,
    [WEBHOOKS + 1],
  );
  await client.query(
    "update webhook_deliveries set id = id - (10 * 60000::bigint << 12) where webhook_id = $1",
    [WEBHOOKS + 1],
  );
  await client.query("insert into event_streams (user_id) values (2)");
  await client.query("vacuum analyze");
});

afterAll(() => database?.stop());

async function rowsRead(): Promise<number> {
  const { rows } = await client.query<{ read: number }>(
    `select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::float8 as read from pg_stat_xact_user_tables
     where relname in ('webhooks', 'webhook_deliveries', 'users', 'apps')`,
  );
  return rows[0]?.read ?? 0;
}

/** The rows that a transaction reads, whose counts are stable. */
async function rowsReadBy(work: () => Promise<void>): Promise<number> {
  await client.query("begin");
  try {
    const before = await rowsRead();
    await work();
    return (await rowsRead()) - before;
  } finally {
    await client.query("rollback");
  }
}

test("due deliveries are found without a look at each webhook", async () => {
  const read = await rowsReadBy(async () => {
    const { rows } = await client.query<{ due: number[] }>(
      `select dispatch_webhook_deliveries(10, 100, '{"name": "webhook-deliveries", "max": 600, "window_s": 60}') as due`,
    );
    expect(rows[0]?.due.toSorted((one, other) => one - other)).toEqual([7, 1900]);
  });
  expect(read).toBeLessThan(FEW_ROWS);
});

test("an event gives its id to its deliveries without a look at older ones", async () => {
  const read = await rowsReadBy(async () => {
    await client.query("insert into followings (user_id, followee_id) values (1, 2)");
    await client.query("set constraints all immediate");
    const { rows } = await client.query(
      "select d.event_id = e.number as same from webhook_deliveries d, stream_events e where d.event = 'follow.created'",
    );
    expect(rows).toEqual([{ same: true }]);
  });
  expect(read).toBeLessThan(FEW_ROWS);
});
