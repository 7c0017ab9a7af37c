import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { EXPIRED_KINDS, forgetExpired } from "../../db/queries/expired.ts";
import type { Env } from "../../functions/http/env.ts";
import { reconcile } from "../../workers/crons/reconcile.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;

beforeAll(async () => {
  database = await startMigratedDatabase();
}, 120_000);
afterAll(() => database?.stop());
afterEach(() => vi.restoreAllMocks());

/** Settings by which the Worker finds the database. */
const address = () => ({ DATABASE_URL: database.databaseUrl, DATABASE_TRANSPORT: "pg" as const });

test("expired rows go some at a time, and nobody waits for one that another sweep holds", async () => {
  const { client: owner } = database;
  const db = openDatabase(address());
  await owner.query(
    "INSERT INTO failures (bucket, failed_at) SELECT 'b' || n, now() - interval '2 days' FROM generate_series(1, 4) n",
  );
  await owner.query("BEGIN");
  await owner.query("SELECT FROM failures WHERE bucket = 'b1' FOR UPDATE");
  const forgotten = [await forgetExpired(db, "failures", 2), await forgetExpired(db, "failures", 2)];
  await owner.query("COMMIT");
  expect([...forgotten, await forgetExpired(db, "failures", 2)]).toEqual([2, 1, 1]);
  for (const kind of EXPIRED_KINDS) expect([kind, await forgetExpired(db, kind, 2)]).toEqual([kind, 0]);
});

test("a queue that takes nothing stops neither what the cron does after it nor other queues' dead letters", async () => {
  const { client: owner } = database;
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await owner.query(
    "INSERT INTO mails (kind, recipient, next_attempt_at) VALUES ('report', 'a@example.com', now() - interval '1 hour')",
  );
  await owner.query(
    `INSERT INTO dead_letters (message_id, queue, body, retry_at)
     VALUES ('1', 'mails', '{"mail": 1}', now()), ('2', 'plays', '{"track": 1}', now())`,
  );
  const refuse = vi.fn(() => Promise.reject(new Error("the queue takes nothing")));
  const send = vi.fn(async () => {});
  const queues = { MAILS: { send: refuse, sendBatch: refuse }, PLAYS: { send } };
  await reconcile({ ...address(), ...queues } as unknown as Env);
  expect(refuse.mock.calls).toEqual([[[{ body: { mail: expect.any(Number) } }]], [{ mail: 1 }]]);
  expect(send.mock.calls).toEqual([[{ track: 1 }]]);
  expect((await owner.query("SELECT queue FROM dead_letters")).rows).toEqual([{ queue: "mails" }]);
});
