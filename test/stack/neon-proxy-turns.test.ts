import { NeonDbError, neon } from "@neondatabase/serverless";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pointDriverAt, startDatabase } from "./database.ts";
import { until } from "./npm-start.ts";

let database: Awaited<ReturnType<typeof startDatabase>>;
let driver: ReturnType<typeof pointDriverAt>;
let owner: pg.Client;
let sql: ReturnType<typeof neon<false, true>>;

beforeAll(async () => {
  database = await startDatabase();
  driver = pointDriverAt(database.proxyUrl);
  sql = neon(database.neonUrl, { fullResults: true });
  owner = new pg.Client({ connectionString: database.databaseUrl });
  await owner.connect();
  await owner.query(
    "CREATE TABLE notes (id int PRIMARY KEY, body text); GRANT ALL ON notes TO soundpost_app",
  );
});
afterAll(async () => {
  driver.putBack();
  await owner.end();
  await database.stop();
});

/** Postgres itself would never end such statements. */
const endless = () => `${database.neonUrl}?options=-c%20statement_timeout%3D0`;

const SLEEPING = "SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'";
const LOCK_WAITERS = "SELECT FROM pg_stat_activity WHERE wait_event = 'advisory'";
const asleep = async () => (await owner.query(SLEEPING)).rowCount;

test("the proxy cancels a statement whose client disconnected", async () => {
  const patience = { fetchOptions: { signal: AbortSignal.timeout(200) } };
  await expect(neon(database.neonUrl, patience)`SELECT pg_sleep(60)`).rejects.toThrow();
  await until("no one sleeps", async () => (await asleep()) === 0);
});

test("the proxy also cancels them when they occupy every connection", async () => {
  const leaving = new AbortController();
  const impatient = neon(endless(), { fetchOptions: { signal: leaving.signal } });
  const sleepers = Array.from({ length: 40 }, () =>
    expect(impatient`SELECT pg_sleep(60)`).rejects.toThrow(NeonDbError),
  );
  await until("as many sleep as may", async () => (await asleep()) === 20);
  leaving.abort();
  await Promise.all(sleepers);
  await until("no one sleeps", async () => (await asleep()) === 0);
});

test("a queued statement never starts once its client disconnected", async () => {
  await owner.query("SELECT pg_advisory_lock(3)");
  const patient = neon(endless());
  const waiters = Promise.all(
    Array.from({ length: 24 }, () => patient`SELECT pg_advisory_xact_lock_shared(3)`),
  );
  await until("as many wait as may", async () => (await owner.query(LOCK_WAITERS)).rowCount === 20);
  const impatient = { fetchOptions: { signal: AbortSignal.timeout(100) } };
  await expect(neon(endless(), impatient)`INSERT INTO notes VALUES (1, 'one')`).rejects.toThrow();
  // The proxy sees the closed connection before it answers requests that came later.
  for (let later = 0; later < 3; later++) await database.stats();
  await owner.query("SELECT pg_advisory_unlock(3)");
  await waiters;
  expect((await sql`SELECT count(*)::int AS n FROM notes`).rows).toEqual([{ n: 0 }]);
});

test("slow statements do not delay quick ones", async () => {
  await owner.query("SELECT pg_advisory_lock(4)");
  const waiters = Promise.all(
    Array.from({ length: 12 }, () => neon(endless())`SELECT pg_advisory_xact_lock_shared(4)`),
  );
  await until("all of them wait", async () => (await owner.query(LOCK_WAITERS)).rowCount === 12);
  expect((await sql`SELECT 1 AS one`).rows).toEqual([{ one: 1 }]);
  await owner.query("SELECT pg_advisory_unlock(4)");
  await waiters;
});

test("reads never wait for writes, however many of those wait", async () => {
  await owner.query(`CREATE FUNCTION steady() RETURNS int STABLE LANGUAGE sql AS 'SELECT 42';
    CREATE FUNCTION held() RETURNS int LANGUAGE sql AS 'SELECT pg_advisory_xact_lock_shared(1); SELECT 1'`);
  const patient = neon(endless());
  const read = () => patient.query("select steady() as result");
  await until("it is known to read", async () => {
    const { reads } = await database.stats();
    await read();
    return (await database.stats()).reads > reads;
  });
  await owner.query("SELECT pg_advisory_lock(1)");
  let written = 0;
  const writers = Array.from({ length: 100 }, () =>
    patient.query("select held() as result").then(() => written++),
  );
  await until("as many wait as may", async () => (await owner.query(LOCK_WAITERS)).rowCount === 20);
  const answers = await Promise.all(Array.from({ length: 50 }, read));
  expect([answers, written]).toEqual([Array(50).fill([{ result: 42 }]), 0]);
  await owner.query("SELECT pg_advisory_unlock(1)");
  await Promise.all(writers);
});

test("a function that may write does not count as a read, whatever other function shares its name", async () => {
  await owner.query(`CREATE FUNCTION either() RETURNS int STABLE LANGUAGE sql AS 'SELECT 1';
    CREATE FUNCTION either(n int) RETURNS int LANGUAGE sql AS 'SELECT n'`);
  const { reads } = await database.stats();
  for (let again = 0; again < 20; again++) {
    await sql.query("select either() as result");
    await sql.query("select either($1) as result", [1]);
  }
  expect((await database.stats()).reads).toBe(reads);
});

test("a late cancellation of an abandoned statement ends none that follows it", async () => {
  await owner.query(`CREATE FUNCTION waits() RETURNS int STABLE LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(2); RETURN 1; END $$`);
  const patient = neon(endless());
  const wait = async () => await patient.query("select waits() as result");
  await until("it is known to read", async () => {
    const { reads } = await database.stats();
    await wait();
    return (await database.stats()).reads > reads;
  });
  // Cancellations of writes go by the connections of reads, all of which wait.
  await owner.query("SELECT pg_advisory_lock(2)");
  const waiting = Array.from({ length: 20 }, wait);
  await until("all of them wait", async () => (await owner.query(LOCK_WAITERS)).rowCount === 20);
  const impatient = neon(endless(), { fetchOptions: { signal: AbortSignal.timeout(100) } });
  await expect(impatient`SELECT pg_sleep(0.2)`).rejects.toThrow();
  await until("it has ended by itself", async () => (await asleep()) === 0);
  const next = patient`SELECT pg_sleep(0.3)`.then((rows) => rows.length);
  await owner.query("SELECT pg_advisory_unlock(2)");
  await Promise.all(waiting);
  expect(await next).toBe(1);
});
