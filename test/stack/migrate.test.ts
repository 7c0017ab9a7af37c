import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../db/migrate.ts";
import { startDatabase } from "./database.ts";

let database: Awaited<ReturnType<typeof startDatabase>>;
const directory = mkdtempSync(join(tmpdir(), "soundpost-migrations-"));
const functions = mkdtempSync(join(tmpdir(), "soundpost-functions-"));
const clients: pg.Client[] = [];

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database.stop();
  for (const made of [directory, functions]) rmSync(made, { recursive: true });
});

const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
const lines: string[] = [];
const log = (line: string) => lines.push(line);
const run = () => migrate({ url: database.databaseUrl, directory, functions, log });

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return client;
}

/** Resolves once a statement waits for the table. */
async function someoneWaits(owner: pg.Client): Promise<void> {
  const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'a'::regclass";
  await expect.poll(async () => (await owner.query(waiting)).rowCount).toBe(1);
}

test("two concurrent runners apply each file once, in order", async () => {
  write("0001_a.sql", "CREATE TABLE a (id serial PRIMARY KEY, body text);");
  write("0002_b.sql", "ALTER TABLE a ADD COLUMN more text; INSERT INTO a (body) VALUES ('x');");
  write("0003_index.sql", "-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a_body ON a (body);");
  expect((await Promise.all([run(), run()])).sort()).toEqual([0, 3]);
  expect(await run()).toBe(0);
  expect(lines).toEqual(["Migrations: 3 in a new database"]);
});

test("the service may change rows but not tables", async () => {
  const app = await connected(database.appDatabaseUrl);
  await app.query("INSERT INTO a (body) VALUES ('y')");
  expect((await app.query("SELECT body FROM a ORDER BY id")).rows).toEqual([{ body: "x" }, { body: "y" }]);
  for (const forbidden of [
    "DROP TABLE a",
    "TRUNCATE a",
    "CREATE TABLE mine ()",
    "SELECT FROM ledger.migrations",
  ]) {
    await expect(app.query(forbidden)).rejects.toMatchObject({ code: "42501" });
  }
});

test("a failed file changes nothing and is named", async () => {
  write("0004_bad.sql", "CREATE TABLE half (); SELECT nonsense;");
  await expect(run()).rejects.toThrow('Migration 0004_bad.sql: column "nonsense" does not exist');
  const owner = await connected(database.databaseUrl);
  expect((await owner.query("SELECT to_regclass('half') AS half")).rows).toEqual([{ half: null }]);
  write("0004_bad.sql", "CREATE TABLE half ();");
  expect(await run()).toBe(1);
  expect(lines.at(-1)).toBe("Migration 0004_bad.sql");
});

test("a file changed after it was applied is refused", async () => {
  write("0001_a.sql", "CREATE TABLE a (id bigserial PRIMARY KEY);");
  await expect(run()).rejects.toThrow("Migration 0001_a.sql changed after it was applied");
  write("0001_a.sql", "CREATE TABLE a (id serial PRIMARY KEY, body text);");
});

test("a busy table makes the runner retry instead of queueing before everyone else", async () => {
  const [reader, other, owner] = await Promise.all([
    connected(database.appDatabaseUrl),
    connected(database.appDatabaseUrl),
    connected(database.databaseUrl),
  ]);
  await reader.query("BEGIN; SELECT FROM a");
  write("0005_busy.sql", "ALTER TABLE a ADD COLUMN late text;");
  const running = run();
  await someoneWaits(owner);
  await other.query("SET statement_timeout = '30s'; SELECT FROM a");
  await reader.query("COMMIT");
  expect(await running).toBe(1);
});

test("an index that is built concurrently waits for long transactions instead of beginning anew", async () => {
  const [reader, owner] = await Promise.all([
    connected(database.databaseUrl),
    connected(database.databaseUrl),
  ]);
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM a");
  write("0006_index.sql", "-- no transaction\nCREATE INDEX CONCURRENTLY a_more ON a (more);");
  const running = run();
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'a_more'
    AND clock_timestamp() - query_start > interval '2.5 seconds'`;
  await expect.poll(async () => (await owner.query(waiting)).rowCount).toBe(1);
  await reader.query("COMMIT");
  expect(await running).toBe(1);
});

test("a trigger that a busy table or a deadlock holds up is tried again, and no write waits for it for long", async () => {
  const [busy, other, owner] = await Promise.all([
    connected(database.appDatabaseUrl),
    connected(database.appDatabaseUrl),
    connected(database.databaseUrl),
  ]);
  // A sequence counts across transactions that are rolled back.
  await owner.query("CREATE SEQUENCE tries");
  writeFileSync(
    join(functions, "sample_t.sql"),
    `DO $$ BEGIN IF nextval('tries') = 1 THEN RAISE EXCEPTION USING ERRCODE = 'deadlock_detected'; END IF; END $$;
    CREATE OR REPLACE FUNCTION sample_t() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
    CREATE OR REPLACE TRIGGER noted BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION sample_t();`,
  );
  await busy.query("BEGIN; INSERT INTO a (body) VALUES ('x')");
  const running = run();
  await someoneWaits(owner);
  await other.query("SET statement_timeout = '30s'; INSERT INTO a (body) VALUES ('y')");
  await busy.query("COMMIT");
  expect(await running).toBe(0);
  expect((await owner.query("SELECT FROM pg_trigger WHERE tgname = 'noted'")).rowCount).toBe(1);
});
