import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { EXPIRED_KINDS, forgetExpired } from "../../db/queries/expired.ts";
import { BACKUP_LOCK, dueGarbage, forgetGarbage } from "../../db/queries/garbage.ts";
import { closedPictures } from "../../db/queries/images.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { publishDue } from "../../workers/crons/publications.ts";
import { reconcile } from "../../workers/crons/reconcile.ts";
import { sweep } from "../../workers/crons/sweep.ts";
import { BUCKETS, MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { CREDENTIALS, newDirectory, startObjectStore } from "../local/object-store-process.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;

beforeAll(async () => {
  database = await startMigratedDatabase();
});
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

test("uploads that ended without a track go after a month, all others stay", async () => {
  const { client: owner } = database;
  await owner.query("INSERT INTO users (id, username, permalink) VALUES (9000, 'uploader', 'uploader')");
  await owner.query(
    `INSERT INTO uploads (user_id, filename, size, type, status, part_size, part_count, object_key, expires_at)
     SELECT 9000, 'a.wav', 1, 'audio/wav', status, 1, 1, status || days, now() - days * interval '1 day'
     FROM unnest('{open,completing,ready,used,failed,aborted,expired}'::text[]) status, unnest('{29,31}'::int[]) days`,
  );
  const forgetSome = () => forgetExpired(openDatabase(address()), "ended_uploads", 2);
  expect([await forgetSome(), await forgetSome(), await forgetSome()]).toEqual([2, 1, 0]);
  const { rows } = await owner.query("SELECT object_key FROM uploads WHERE object_key LIKE '%31' ORDER BY 1");
  expect(rows.map((row) => row.object_key)).toEqual(["completing31", "open31", "ready31", "used31"]);
  expect((await owner.query("SELECT FROM uploads")).rows).toHaveLength(11);
});

test("a run of the sweep ends all uploads that expired, and erases the user who left them", async () => {
  const { client: owner } = database;
  vi.spyOn(console, "info").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await owner.query(
    "INSERT INTO users (id, username, permalink, disabled_at) VALUES (9001, 'leaver', 'leaver', now())",
  );
  await owner.query(
    `INSERT INTO uploads (user_id, filename, size, type, part_size, part_count, object_key, expires_at)
     SELECT 9001, 'a.wav', 1, 'audio/wav', 1, 1, 'left' || n, now() FROM generate_series(1, 60) n`,
  );
  // Storage holds nothing of them.
  await sweep({ ...address(), S3_ENDPOINT: "http://127.0.0.1:9" } as unknown as Env);
  expect((await owner.query("SELECT FROM users WHERE id = 9001")).rows).toEqual([]);
});

test("nothing is deleted from storage during a backup, whose rows may still name it", async () => {
  const { client: owner } = database;
  const due = () => dueGarbage(openDatabase(address()), 1, 7);
  await owner.query("INSERT INTO object_garbage (prefix, bucket, due_at) VALUES ('left', 'media', now())");
  expect(await due()).toEqual([{ bucket: "media", prefix: "left" }]);
  await owner.query("SELECT pg_advisory_lock($1)", [BACKUP_LOCK]);
  expect(await due()).toEqual([]);
  await owner.query("SELECT pg_advisory_unlock($1)", [BACKUP_LOCK]);
  expect(await due()).toHaveLength(1);
  await owner.query("DELETE FROM object_garbage");
});

test("files that a row has shown wait for a week, so that a restored database finds them, and no longer count", async () => {
  const { client: owner } = database;
  const due = async (days: number) =>
    (await dueGarbage(openDatabase(address()), 9, days)).map(({ prefix }) => prefix);
  await owner.query("INSERT INTO users (id, username, permalink) VALUES (9002, 'keeper', 'keeper')");
  await owner.query(
    `INSERT INTO tracks (id, user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size, media_prefix, artwork_version)
     VALUES (1, 9002, 'A song', 'a-song', '', '', 'in/9002/1', 'a.wav', 5, 't/1/a/', 'b')`,
  );
  const used = async () => (await owner.query("SELECT quota_of(9002)->'bytes_used' AS bytes")).rows[0].bytes;
  expect(await used()).toBe(5);
  await owner.query("DELETE FROM tracks WHERE id = 1");
  expect(await used()).toBe(0);
  await owner.query(
    `INSERT INTO object_garbage (prefix, bucket, due_at)
     SELECT prefix, 'media', now() FROM unnest('{in/9002/1,t/1/a/,t/1/never-finished/}'::text[]) prefix`,
  );
  await owner.query("UPDATE object_garbage SET due_at = now() - interval '6 days'");
  expect(await due(7)).toEqual(["t/1/never-finished/"]);
  expect((await due(6)).sort()).toEqual(["images/b/", "in/9002/1", "t/1/a/", "t/1/never-finished/"]);
  const { gone } = await closedPictures(openDatabase(address()), undefined);
  expect(gone).toEqual(["b"]);
  // One that nothing closes is served, so it goes at once.
  await owner.query("UPDATE object_garbage SET closed = false");
  expect((await due(7)).sort()).toEqual(["images/b/", "t/1/never-finished/"]);
  await forgetGarbage(openDatabase(address()), "in/9002/1");
  const { rows } = await owner.query("SELECT prefix FROM stored_objects WHERE user_id IS NULL ORDER BY 1");
  expect(rows.map(({ prefix }) => prefix)).toEqual(["images/b/", "t/1/a/"]);
  await owner.query("DELETE FROM object_garbage");
});

test("the sweep keeps such files for the days of the setting, which are seven unless it is a number", async () => {
  const { client: owner } = database;
  vi.spyOn(console, "info").mockImplementation(() => {});
  const storage = await startObjectStore(newDirectory(), { S3_BUCKETS: JSON.stringify(BUCKETS) });
  const [S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY] = [CREDENTIALS.accessKeyId, CREDENTIALS.secretAccessKey];
  const env = { ...address(), S3_ENDPOINT: storage.url, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  const names = { S3_UPLOADS_BUCKET: UPLOADS_BUCKET, S3_MEDIA_BUCKET: MEDIA_BUCKET };
  await owner.query("INSERT INTO stored_objects (prefix, kind, bytes) VALUES ('t/2/a/', 'encode', 1)");
  await owner.query(
    "INSERT INTO object_garbage (prefix, bucket, due_at) VALUES ('t/2/a/', 'media', now() - interval '6 days')",
  );
  const listedAfter = async (DELETED_OBJECTS_DAYS?: string) => {
    await sweep({ ...env, ...names, DELETED_OBJECTS_DAYS } as unknown as Env);
    return (await owner.query("SELECT FROM object_garbage WHERE prefix = 't/2/a/'")).rows.length;
  };
  const counts = [
    await listedAfter(),
    await listedAfter("soon"),
    await listedAfter("8"),
    await listedAfter("5"),
  ];
  await storage.stop();
  expect(counts).toEqual([1, 1, 1, 0]);
});

test("the sweep deletes originals that nobody may download where the setting says so, and nowhere else", async () => {
  const { client: owner } = database;
  for (const level of ["info", "warn"] as const) vi.spyOn(console, level).mockImplementation(() => {});
  await owner.query("INSERT INTO users (id, username, permalink) VALUES (9003, 'idler', 'idler')");
  await owner.query(
    `INSERT INTO tracks (id, user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size, media_prefix, media, duration_ms, state, updated_at)
     VALUES (3, 9003, 'A song', 'a-song', '', '', 'in/9003/1', 'a.wav', 5, 't/3/a/', '{}', 1, 'finished', now() - interval '31 days')`,
  );
  const keptAfter = async (RETENTION?: string) => {
    await sweep({ ...address(), S3_ENDPOINT: "http://127.0.0.1:9", RETENTION } as unknown as Env);
    return (await owner.query("SELECT FROM tracks WHERE id = 3 AND original_deleted_at IS NULL")).rows.length;
  };
  expect([await keptAfter(), await keptAfter("keep"), await keptAfter("downloadable")]).toEqual([1, 1, 0]);
  await owner.query("DELETE FROM object_garbage");
});

test("one run publishes all that is due but what fails, which the next publishes", async () => {
  const { client: owner } = database;
  vi.spyOn(console, "info").mockImplementation(() => {});
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  await owner.query(
    "INSERT INTO users (id, username, permalink) SELECT n, 'due' || n, 'due' || n FROM generate_series(8001, 8052) n",
  );
  await owner.query(
    `INSERT INTO tracks (id, user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size, media_prefix, media, duration_ms, state, sharing, publish_at)
     SELECT n, n, 'A song', 'a-song', '', '', 'in/' || n, 'a.wav', 5, 't/' || n || '/a/', '{}', 1, 'finished', 'private',
       now() - make_interval(secs => 9000 - n)
     FROM generate_series(8001, 8052) n`,
  );
  const waiting = async () => {
    await publishDue(openDatabase(address()));
    const { rows } = await owner.query(
      "SELECT id::int FROM tracks WHERE sharing = 'private' AND user_id > 8000 ORDER BY id",
    );
    return rows.map(({ id }) => id);
  };
  await owner.query("ALTER TABLE tracks ADD CONSTRAINT fails CHECK (id <> 8001 OR sharing = 'private')");
  const first = await waiting();
  await owner.query("ALTER TABLE tracks DROP CONSTRAINT fails");
  expect([first, await waiting()]).toEqual([[8001], []]);
  expect(warn).toHaveBeenCalledOnce();
});

test("events of a log that nobody reads are forgotten without a look at those of other logs", async () => {
  const { client: owner } = database;
  const [logs, events] = [1_000, 20_000];
  await owner.query(
    "INSERT INTO users (id, username, permalink) SELECT n, 'log' || n, 'log' || n FROM generate_series(1, $1::int) n",
    [logs],
  );
  await owner.query(
    "INSERT INTO event_streams SELECT n, now() - n % 2 * interval '2 days' FROM generate_series(1, $1::int) n",
    [logs],
  );
  await owner.query(
    `INSERT INTO stream_events (user_id, event, data)
     SELECT 1 + n % $1::int, 'follow.created', '{}' FROM generate_series(1, $2::int) n`,
    [logs, events],
  );
  await owner.query("VACUUM ANALYZE event_streams, stream_events");
  const rowsRead = `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables
    WHERE relname = 'stream_events'`;
  await owner.query("BEGIN");
  const before = await owner.query<{ read: number }>(rowsRead);
  const { rows } = await owner.query("SELECT forget_stream_events(100) AS gone");
  const after = await owner.query<{ read: number }>(rowsRead);
  await owner.query("ROLLBACK");
  // Five logs of twenty events, and the logs themselves.
  expect(rows).toEqual([{ gone: 105 }]);
  expect((after.rows[0]?.read ?? 0) - (before.rows[0]?.read ?? 0)).toBeLessThan(events / 10);
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
