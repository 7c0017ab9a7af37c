import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startMigratedDatabase } from "./migrated-database.ts";

const TRACKS = 12;
const PIECE = 5;

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await startMigratedDatabase();
  ({ client } = database);
});

afterAll(() => database?.stop());

async function connected() {
  const made = new pg.Client({ connectionString: database.databaseUrl });
  await made.connect();
  return made;
}

/** Resolves when a call of the function waits for a lock. */
const waits = (name: string) =>
  expect
    .poll(async () => {
      const waiting =
        "select from pg_stat_activity where wait_event_type = 'Lock' and starts_with(query, $1)";
      return (await client.query(waiting, [`select ${name}(`])).rowCount;
    })
    .toBe(1);

test("every foreign key has an index, so that the end of an app or a user reads no whole table", async () => {
  const { rows } = await client.query<{ key: string }>(
    `select format('%s.%s', c.conrelid::regclass, a.attname) as key
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
       and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`,
  );
  expect(rows).toEqual([]);
});

test("the app of a user who left is erased in pieces, however many tracks others made with it", async () => {
  // The app and the tracks are of two users. Only the developer has no account any more.
  await client.query(
    `insert into users (id, username, permalink, disabled_at) values (1, 'left', 'left', now()), (2, 'stays', 'stays', null)`,
  );
  await client.query(
    `insert into apps (id, client_id, secret_hash, owner_id, name, permalink, redirect_uris)
     values (1, 'left', '', 1, '', 'left', '{}')`,
  );
  await client.query(
    `insert into tracks (id, user_id, app_id, title, permalink, secret_hash, secret_sealed, original_key,
       original_filename, original_content_size)
     select n, 2, 1, n, n, n::text::bytea, '', n, '', 1 from generate_series(1, $1::int) n`,
    [TRACKS],
  );
  const ofApp = async () =>
    (await client.query<{ n: number }>("select count(*)::int as n from tracks where app_id = 1")).rows[0]?.n;
  const left: unknown[] = [await ofApp()];
  for (let more = true; more; ) {
    const { rows } = await client.query<{ erased: { more: boolean } }>("select erase_some($1) as erased", [
      PIECE,
    ]);
    left.push(await ofApp());
    more = rows[0]?.erased.more ?? false;
  }
  expect(left.slice(0, 4)).toEqual([12, 7, 2, 0]);
  expect((await client.query("select id from users order by id")).rows).toEqual([{ id: "2" }]);
});

test("nobody waits for the end of an app whose webhooks would be told, however long their log is", async () => {
  await client.query(
    "insert into users (id, username, permalink) values (3, 'dev', 'dev'), (4, 'fan', 'fan')",
  );
  await client.query(
    `insert into apps (id, client_id, secret_hash, owner_id, name, permalink, redirect_uris)
     values (3, 'dev', '', 3, '', 'dev', '{}')`,
  );
  await client.query(
    `insert into webhooks (id, user_id, app_id, url, target_hash, target_host, events, secret_sealed)
     values (3, 2, 3, '', '', '', '{follow.created}', '')`,
  );
  await client.query(
    `insert into webhook_deliveries (webhook_id, event, data, state, next_attempt_at)
     values (3, 'webhook.test', '{}', 'delivered', null)`,
  );
  const [holder, deleting] = await Promise.all([connected(), connected()]);
  try {
    await holder.query("begin; select from webhook_deliveries for update");
    const deleted = deleting.query<{ done: boolean }>("select delete_app(3, null, 3) as done");
    await waits("delete_app");
    await client.query("begin; set local lock_timeout = '1s'");
    await client.query("insert into followings (user_id, followee_id) values (4, 2); commit");
    await holder.query("commit");
    expect((await deleted).rows).toEqual([{ done: true }]);
  } finally {
    await Promise.all([holder.end(), deleting.end()]);
  }
  expect((await client.query("select from webhook_deliveries")).rowCount).toBe(0);
});

test("a code that is exchanged while its app is deleted finds no client, without a deadlock", async () => {
  await client.query(
    `insert into apps (id, client_id, secret_hash, owner_id, name, permalink, redirect_uris)
     values (5, 'ends', 's', 3, '', 'ends', '{}')`,
  );
  await client.query(
    "insert into site_sessions (hash, user_id, expires_at) values ('browser', 4, now() + interval '1 day')",
  );
  await client.query(
    `insert into authorization_codes (hash, app_id, user_id, site_session_hash, nonce, redirect_uri, expires_at)
     values ('code', 5, 4, 'browser', '', 'uri', now() + interval '1 day')`,
  );
  await client.query(
    "insert into sessions (app_id, user_id, expires_at) values (5, 4, now() + interval '1 day')",
  );
  const [holder, deleting, exchanging] = await Promise.all([connected(), connected(), connected()]);
  try {
    await holder.query("begin; select from sessions for update");
    const deleted = deleting.query<{ done: boolean }>("select delete_app(3, null, 5) as done");
    await waits("delete_app");
    const exchanged = exchanging.query<{ reply: object }>(
      "select exchange_code('ends', 's', '', now(), 'token', 9, 9, 'code', 'uri', null) as reply",
    );
    await waits("exchange_code");
    await holder.query("commit");
    expect((await exchanged).rows).toEqual([{ reply: { outcome: "invalid_client" } }]);
    expect((await deleted).rows).toEqual([{ done: true }]);
  } finally {
    await Promise.all([holder.end(), deleting.end(), exchanging.end()]);
  }
});

test("a developer who is suspended while an app of theirs is deleted is shut out, without a deadlock", async () => {
  await client.query(
    `insert into apps (id, client_id, secret_hash, owner_id, name, permalink, redirect_uris)
     values (6, 'own', '', 3, '', 'own', '{}')`,
  );
  await client.query(
    "insert into sessions (app_id, user_id, expires_at) values (6, 3, now() + interval '1 day')",
  );
  const [holder, deleting, suspending] = await Promise.all([connected(), connected(), connected()]);
  try {
    await holder.query("begin; select from apps where id = 6 for key share");
    const deleted = deleting.query<{ done: boolean }>("select delete_app(3, null, 6) as done");
    await waits("delete_app");
    const suspended = suspending.query<{ outcome: string }>(
      `select act_on_user('{"actor": "test", "reason": "test"}', 'suspend', 3)->>'outcome' as outcome`,
    );
    await waits("act_on_user");
    await holder.query("commit");
    expect((await suspended).rows).toEqual([{ outcome: "done" }]);
    expect((await deleted).rows).toEqual([{ done: true }]);
  } finally {
    await Promise.all([holder.end(), deleting.end(), suspending.end()]);
  }
});
