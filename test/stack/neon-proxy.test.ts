import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { NeonDbError, neon } from "@neondatabase/serverless";
import { sql as fragment } from "drizzle-orm";
import { drizzle } from "drizzle-orm/neon-http";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startNeonProxy } from "../../workers/local/neon-proxy/proxy.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { pointDriverAt, startDatabase } from "./database.ts";
import { until } from "./npm-start.ts";

let database: Awaited<ReturnType<typeof startDatabase>>;
let driver: ReturnType<typeof pointDriverAt>;
let sql: ReturnType<typeof neon<false, true>>;

const notes = pgTable("notes", { id: integer().primaryKey(), body: text() });

beforeAll(async () => {
  database = await startDatabase();
  driver = pointDriverAt(database.proxyUrl);
  sql = neon(database.neonUrl, { fullResults: true });
  await asOwner("CREATE TABLE notes (id int PRIMARY KEY, body text); GRANT ALL ON notes TO soundpost_app");
});
afterAll(async () => {
  driver.putBack();
  await database.stop();
});
beforeEach(() => asOwner("TRUNCATE notes"));

async function asOwner(statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query(statements).finally(() => client.end());
}

const failure = (work: Promise<unknown>): Promise<NeonDbError> =>
  work.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => (error instanceof NeonDbError ? error : expect.unreachable(String(error))),
  );

test("values come back as the driver's types", async () => {
  const when = new Date("2026-01-02T03:04:05.678Z");
  const { rows, rowCount, command, fields } = await sql.query(
    `SELECT $1::int AS n, $2::bigint AS big, $3::jsonb AS doc, $4::text[] AS list, $5::timestamptz AS at, $6::bytea AS raw,
            $7::bool AS yes, NULL AS nothing, $8::text AS words`,
    [7, "9007199254740993", { a: [1] }, ["x", 'y"z'], when, Buffer.from([0, 255]), true, "ä\n'\\"],
  );
  // Drizzle, opened by an earlier file, leaves dates as text in the whole process.
  expect({ ...rows[0], at: new Date(rows[0]?.at) }).toEqual({
    n: 7,
    big: "9007199254740993",
    doc: { a: [1] },
    list: ["x", 'y"z'],
    at: when,
    raw: Buffer.from([0, 255]),
    yes: true,
    nothing: null,
    words: "ä\n'\\",
  });
  expect([rowCount, command, fields[0]?.dataTypeID]).toEqual([1, "SELECT", 23]);
});

test("an error has Postgres's fields", async () => {
  await sql`INSERT INTO notes VALUES (1, 'one')`;
  const error = await failure(sql`INSERT INTO notes VALUES (1, 'again')`);
  expect(error).toMatchObject({
    code: "23505",
    severity: "ERROR",
    constraint: "notes_pkey",
    table: "notes",
    schema: "public",
    detail: "Key (id)=(1) already exists.",
  });
  expect(error.message).toContain("duplicate key");
  expect((await failure(sql.query("SELECT 1; SELECT 2"))).code).toBe("42601");
  expect((await failure(sql.query("SELECT $1::text", ["\0"]))).code).toBe("22021");
});

test("a batch is one transaction and one request", async () => {
  const before = await database.stats();
  await sql.transaction([sql`INSERT INTO notes VALUES (1, 'one')`, sql`INSERT INTO notes VALUES (2, 'two')`]);
  const after = await database.stats();
  expect(after.queries - before.queries).toBe(2);

  const db = drizzle(neon(database.neonUrl));
  const batch = db.batch([
    db.insert(notes).values({ id: 3, body: "three" }),
    db.insert(notes).values({ id: 1, body: "again" }),
  ]);
  expect((await failure(batch)).code).toBe("23505");
  expect(await db.select().from(notes).orderBy(notes.id)).toEqual([
    { id: 1, body: "one" },
    { id: 2, body: "two" },
  ]);
  expect(await db.execute(fragment`SELECT count(*)::int AS n FROM notes`)).toMatchObject({
    rows: [{ n: 2 }],
  });
});

test("a batch can be read-only and serializable", async () => {
  const options = { isolationLevel: "Serializable", readOnly: true, deferrable: true } as const;
  const [levels] = await sql.transaction([sql`SHOW transaction_isolation`], {
    ...options,
    fullResults: false,
  });
  expect(levels).toEqual([{ transaction_isolation: "serializable" }]);
  const write = sql.transaction([sql`INSERT INTO notes VALUES (1, 'one')`], options);
  expect((await failure(write)).code).toBe("25006");
});

test("an open transaction never reaches the next request", async () => {
  await sql`BEGIN`;
  await sql`INSERT INTO notes VALUES (1, 'one')`;
  const { rows } = await sql`SELECT pg_current_xact_id_if_assigned() AS xid, count(*)::int AS n FROM notes`;
  expect(rows).toEqual([{ xid: null, n: 1 }]);
});

test("statements are sent unnamed, as by Neon: Postgres plans each anew, even after its function changed", async () => {
  const counted = "SELECT answer() AS answer, (SELECT count(*)::int FROM pg_prepared_statements) AS prepared";
  const answer = async () => (await sql.query(counted)).rows[0];
  await asOwner("CREATE FUNCTION answer() RETURNS int LANGUAGE sql AS 'SELECT 42'");
  for (let again = 0; again < 5; again++) expect(await answer()).toEqual({ answer: 42, prepared: 0 });
  await asOwner(
    "DROP FUNCTION answer(); CREATE FUNCTION answer() RETURNS text LANGUAGE sql AS $$SELECT 'many'::text$$",
  );
  expect(await answer()).toEqual({ answer: "many", prepared: 0 });
});

test("the proxy tells a select whose functions cannot write from a write", async () => {
  await asOwner(`
    CREATE FUNCTION looks(p_id int) RETURNS json STABLE LANGUAGE sql AS 'SELECT to_json(n) FROM notes n WHERE id = p_id';
    CREATE FUNCTION takes(p_id int) RETURNS int LANGUAGE sql AS 'DELETE FROM notes WHERE id = p_id RETURNING id';`);
  const isRead = (text: string, values: unknown[] = []) => {
    const once = async () => {
      const before = await database.stats();
      await sql.query(text, values);
      return (await database.stats()).reads > before.reads;
    };
    return once;
  };
  const writes = [
    isRead("select takes(p_id => $1) as result", [1]),
    isRead('select "id" from "notes" where takes($1) is null', [1]),
    isRead('select "id" from "notes" for no key update'),
    isRead("insert into notes values (9, 'nine') on conflict do nothing"),
  ];
  for (const write of writes) expect(await write()).toBe(false);
  for (const read of [
    isRead("select looks(p_id => $1) as result", [1]),
    isRead("select looks($1) as result", [1]),
    isRead('select "id" from "notes" where ("id" = $1 and coalesce("body", $2) <> $2)', [1, "x"]),
  ])
    await expect.poll(read).toBe(true);
  // The database was asked about these before it was asked about the reads, whose answers are there.
  for (const write of writes) expect(await write()).toBe(false);
});

test("nobody is answered without the secret", async () => {
  const { origin, pathname } = new URL(database.proxyUrl);
  const status = async (path: string) => (await fetch(origin + path)).status;
  for (const path of ["/", "/sql", "/stats", "/guess/stats", pathname.replace("/sql", "x/stats"), "//stats"])
    expect([path, await status(path)]).toEqual([path, 401]);
  expect(await status(pathname.replace(/sql$/, "stats"))).toBe(200);
});

const SAID = ["content-type", "content-length"];

/** Sends one statement after the other over a single connection. */
function overOne() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = async (query: string) => {
    const headers = { "Neon-Connection-String": database.neonUrl };
    const sent = request(database.proxyUrl, { agent, method: "POST", headers });
    sent.end(JSON.stringify({ query, params: [] }));
    const [reply] = (await once(sent, "response")) as [IncomingMessage];
    const { statusCode: status, headers: said, socket } = reply;
    return { status, said: Object.keys(said), from: socket.localPort, body: await json(reply) };
  };
  return { post, end: () => agent.destroy() };
}

test("a body that is too large is refused, and its connection stays usable", async () => {
  const { post, end } = overOne();
  const { from, ...refused } = await post(" ".repeat(80 * 1024 * 1024));
  expect(refused).toEqual({ status: 503, said: SAID, body: { message: "the request is too large" } });
  const body = expect.objectContaining({ rows: [["1"]] });
  expect(await post("SELECT 1 AS one")).toEqual({ status: 200, said: SAID, from, body });
  end();
});

test("a reply has no superfluous header and keeps its connection open", async () => {
  const { post, end } = overOne();
  const first = await post("SELECT 1");
  expect(first).toMatchObject({ status: 200, said: SAID });
  expect(await post("SELECT 1")).toEqual(first);
  end();
});

test("wrong passwords are refused", async () => {
  const stranger = neon(database.neonUrl.replace(/:[^:@]+@/, ":guess@"));
  expect((await failure(stranger`SELECT 1`)).code).toBe("28P01");
});

test("without a database the error has no code", async () => {
  const unused = await freePorts(2);
  const proxy = await startNeonProxy({
    port: unused,
    secret: "s",
    databaseUrl: `postgres://127.0.0.1:${unused + 1}/`,
  });
  const response = await fetch(proxy.url, {
    method: "POST",
    headers: { "Neon-Connection-String": database.neonUrl },
    body: JSON.stringify({ query: "SELECT 1", params: [] }),
  });
  await proxy.close();
  expect([response.status, await response.json()]).toEqual([
    503,
    { message: expect.stringContaining("ECONNREFUSED") },
  ]);
});

/** A backend that was ended before may be listed for a moment, so each statement has a text of its own. */
const sleeper = async (statement: string) => {
  for (;;) {
    const found = await sql.query(
      "SELECT pid FROM pg_stat_activity WHERE starts_with(query, $1) AND state = 'active'",
      [statement],
    );
    if (found.rows[0]) return found.rows[0].pid as number;
  }
};

test("a broken connection fails its own statement and no later one", async () => {
  for (let round = 0; round < 5; round++) {
    const statement = `SELECT pg_sleep(${30 + round})`;
    const cut = failure(sql.query(statement));
    const owner = asOwner(`SELECT pg_terminate_backend(${await sleeper(statement)})`);
    const error = await cut;
    expect([error.code, error.message]).toEqual([undefined, expect.stringContaining("503")]);
    const later = await Promise.all(Array.from({ length: 20 }, () => sql`SELECT 1 AS one`));
    expect(later.map(({ rowCount }) => rowCount)).toEqual(Array(20).fill(1));
    await owner;
  }
});

test("a crash of Postgres fails running statements without a code, and later ones work", async () => {
  await Promise.all(Array.from({ length: 8 }, () => sql`SELECT pg_sleep(0.05)`));
  const before = await database.stats();
  const cut = failure(sql`SELECT pg_sleep(30)`);
  await until("it sleeps", async () => (await database.stats()).queries > before.queries);
  process.kill(database.pid(), "SIGKILL");
  const error = await cut;
  expect([error.code, error.message]).toEqual([undefined, expect.stringMatching(/50[23]/)]);
  await until("the database is back", async () => (await sql`SELECT 1 AS one`).rowCount === 1);
});
