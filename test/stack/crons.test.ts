import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { EXPIRED_KINDS, forgetExpired } from "../../db/queries/expired.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;

beforeAll(async () => {
  database = await startMigratedDatabase();
}, 120_000);
afterAll(() => database?.stop());

/** Where the Worker would find the database. */
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
